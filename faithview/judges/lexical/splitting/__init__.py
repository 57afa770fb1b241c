"""An answer as claims, refusals and citations."""
