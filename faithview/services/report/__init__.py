"""Reports: a run, or two compared, as one HTML file that needs nothing else."""
