"""From a sentence to bare clauses: what is lead-in, aside, reason, contrast or negation comes apart."""
