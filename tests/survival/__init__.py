"""What the ledger's store outlives: kills, power cuts, errors of the disk.

``python -m pytest tests/survival`` runs all of it, also the long versions (200 kills, 4,800 more power cuts, kills and
crashes of PostgreSQL); ``-m 'not slow'`` leaves those out.
"""
