"""Measured dependency edges: which entries of its context a claim rested on, by how much, and how sure that is."""
