"""The page Overview: the newest score, the claim that could do most harm, and what waits for reviewers."""
