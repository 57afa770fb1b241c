"""Checking an answer before it is sent: pass it, correct it, or block it and say why."""
