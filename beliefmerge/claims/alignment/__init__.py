"""Clauses read together: what differs between those that say the same in the same words is a value."""
