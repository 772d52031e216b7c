"""From readings in their places to claims: type, evidence, trust, history and premises."""
