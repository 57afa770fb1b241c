"""Knowledge bases: versions, what differs between two, and the claims that rest on it."""
