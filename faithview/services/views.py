"""What screens and commands are given; defined in the domain, for the store builds them."""

from faithview.domain.views import (
    AnswerDetail,
    AnswerFilter,
    AnswerPage,
    AnswerRow,
    ClaimHit,
    ClaimPage,
    Order,
    Progress,
    View,
)

__all__ = [
    "AnswerDetail",
    "AnswerFilter",
    "AnswerPage",
    "AnswerRow",
    "ClaimHit",
    "ClaimPage",
    "Order",
    "Progress",
    "View",
]
