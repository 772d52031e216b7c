"""The ledger over HTTP: roles, limits, one table of operations, OpenAPI built from it."""
