"""Tracks on real data, one file each: `TRACK`, a `mergebench.track.Track`."""
