"""Tables as diagnostics take them: what is refused, and what is computed of the rest."""
