"""Reviewers' labels: spot-checks, the queue, the inbox, disagreements, the corrected score."""
