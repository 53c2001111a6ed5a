"""Every read once: what it takes, what it asks, how it is told, and what the activity log keeps of it."""

from brain.catalogue.keeping import keep
from brain.catalogue.kinds import Note, Read, hold
from brain.catalogue.listing import READS

__all__ = ["READS", "Note", "Read", "hold", "keep"]
