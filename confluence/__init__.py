"""Confluence: which summaries may be merged incrementally, and exactly where the boundary is."""
