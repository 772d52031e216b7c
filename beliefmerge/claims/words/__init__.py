"""Words and short phrases: closed classes, noun phrases, keys and their folded forms."""
