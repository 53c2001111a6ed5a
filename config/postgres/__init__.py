"""A PostgreSQL of this installation's own, for when `DATABASE_URL` names no other."""
