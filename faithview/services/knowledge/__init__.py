"""Knowledge bases: versions, what differs between two, the claims that rest on it, and findings inside one."""

__all__ = ["changes", "check", "contradictions", "decisions", "preflight", "resting_claims", "terms", "versions"]
