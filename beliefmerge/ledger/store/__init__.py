"""Where the ledger's bytes live: one append-only chain a tenant, its blobs, and the tokens of its users.

Nothing here knows what a record means. `log` is the contract, `sqlite` and `postgres` keep it, `writer` is the one
thread that appends to a tenant's log, `blobs` keeps what the records name, `places` opens a store by its address.
"""
