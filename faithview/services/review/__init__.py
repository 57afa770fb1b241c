"""People's labels: spot-checks, the queue, disagreements, carried-over labels and the corrected score."""
