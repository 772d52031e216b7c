"""Designs by name, one file each."""
