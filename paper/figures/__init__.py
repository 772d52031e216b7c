"""One figure a file; each defines ``FIGURE``."""
