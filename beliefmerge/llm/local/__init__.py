"""The local model: weights that are fetched once, a scorer in NumPy, and a server on loopback. Offline afterwards."""
