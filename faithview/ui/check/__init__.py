"""The Check page: one pasted answer, judged claim by claim."""
