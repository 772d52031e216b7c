"""The speeds the library promises, each a ratio to a plain reference or a peer measured in the same run."""
