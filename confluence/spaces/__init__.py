"""Named spaces, one file each: `SPACE`, a `NamedSpace`. A file here is on the command line as `space=<its name>`."""
