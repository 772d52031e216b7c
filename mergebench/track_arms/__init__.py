"""Arms that only tracks have, one file each: for claims that are given, or for prose of which little can be read."""
