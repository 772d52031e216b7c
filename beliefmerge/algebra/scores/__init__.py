"""Evidence scores, one file each: `SCORE` with ``total(levels)``. See `beliefmerge.algebra.score.Score`."""
