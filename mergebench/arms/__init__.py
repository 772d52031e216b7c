"""Arms: one file each, defining `ARM`."""
