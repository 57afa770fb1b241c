"""Judging answers: runs are created, executed, resumed and estimated."""
