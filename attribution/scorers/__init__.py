"""Scorers by name, one file each."""
