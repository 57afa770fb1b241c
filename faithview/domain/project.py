"""Projects: each has a store of its own, and a list of users with their roles in it.

A dashboard serves one of them. Who is listed in `[faithview.roles]` is an admin of every project.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Role(StrEnum):
    """What a user may do: a viewer looks, a reviewer labels, an admin does everything."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """The users of a project: e-mail addresses by role.

    Attributes:
        is_open: every user with a verified address is at least a viewer.
    """

    admins: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    viewers: tuple[str, ...] = ()
    is_open: bool = False

    @property
    def is_listed(self) -> bool:
        """Whether the description admits any user."""
        return bool(self.admins or self.reviewers or self.viewers or self.is_open)

    def role_of(self, email: str) -> Role | None:
        """Return the highest role that lists the address; None if there is none."""
        listed = {Role.ADMIN: self.admins, Role.REVIEWER: self.reviewers, Role.VIEWER: self.viewers}
        return listed_role(email, listed) or (Role.VIEWER if self.is_open else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A store with a name and its users.

    Attributes:
        name: its name in addresses and commands: small letters, digits, "-" and "_".
        title: its displayed name.
        database_url: the store's SQLAlchemy URL. It may contain a password, so it is never shown.
    """

    name: str
    title: str
    database_url: str = field(repr=False)
    members: Members = field(default_factory=Members, repr=False)


def listed_role(email: str, listed: Mapping[Role, Collection[str]]) -> Role | None:
    """Return the highest role that lists an address; None if none does.

    The letters A to Z match in either case. All else must be equal: full case folding makes one address of
    "straße@" and "strasse@", which belong to two people.
    """
    wanted = email.translate(_LOWER)
    for role in (Role.ADMIN, Role.REVIEWER, Role.VIEWER):
        if wanted in {entry.translate(_LOWER) for entry in listed.get(role, ())}:
            return role
    return None
