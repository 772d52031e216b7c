"""Arms that only tracks with given claims have, one file each."""
