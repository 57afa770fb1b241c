"""Parts that pages share for reviewers who work together: names, notes, what each has opened, new spot-checks."""

__all__ = ["claim_notes", "list_spot_check", "note_feed", "opened_answers", "reviewer_choice"]
