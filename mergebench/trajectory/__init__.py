"""Flat against ledger: a planted premise, what was concluded from it, a correction, a compaction, a question."""
