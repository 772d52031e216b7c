"""One table a file; each defines ``TABLE``."""
