"""Other packages that do the same, in environments of their own."""
