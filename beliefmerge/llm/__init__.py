"""Language models: one OpenAI-compatible client, its record/replay cache, and a local model for those without a key."""
