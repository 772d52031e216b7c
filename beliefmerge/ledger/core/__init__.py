"""The ledger's calculus: pure, no I/O."""
