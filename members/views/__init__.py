"""Pages about people: signing in, their tokens, what they did."""
