"""What was said: the sentences of a session that may be claims, with their places."""
