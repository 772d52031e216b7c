"""Finding credentials in text, and replacing what was found; `beliefmerge.session.redact` applies it to sessions."""
