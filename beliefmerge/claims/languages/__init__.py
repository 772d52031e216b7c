"""Sentences of every language to clauses and readings."""
