"""Markdown to safe HTML for the pages people read: pure, bounded, and cleaned twice."""
