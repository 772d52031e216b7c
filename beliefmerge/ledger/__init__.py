"""The epistemic ledger: what was observed kept apart from what was inferred, every trust decision replayable."""
