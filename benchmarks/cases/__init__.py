"""Benchmarks, one file each: `BENCHMARK`, a `Benchmark`. A file here is on the command line under its own name."""
