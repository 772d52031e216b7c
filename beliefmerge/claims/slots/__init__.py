"""Slots: which readings of all branches are about one thing, and what it holds."""
