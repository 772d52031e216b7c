"""English frames: what a bare clause says of which key."""
