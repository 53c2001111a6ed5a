"""What people type into the pages of this app."""
