"""Projects: each has a store of its own, and lists who may do what in it.

Who is listed nowhere in a project is not told that it exists. An admin of the whole dashboard is an admin of every
project.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase

_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Role(StrEnum):
    """What somebody may do: a viewer looks, a reviewer labels, an admin does all."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """Who gets into a project: e-mail addresses by role.

    Attributes:
        is_open: everybody who is logged in with a verified address is at least a viewer.
    """

    admins: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    viewers: tuple[str, ...] = ()
    is_open: bool = False

    @property
    def is_listed(self) -> bool:
        """Whether the description lets anybody in."""
        return bool(self.admins or self.reviewers or self.viewers or self.is_open)

    def role_of(self, email: str) -> Role | None:
        """Return the highest role that lists the address; None for who does not get in."""
        listed = {Role.ADMIN: self.admins, Role.REVIEWER: self.reviewers, Role.VIEWER: self.viewers}
        return listed_role(email, listed) or (Role.VIEWER if self.is_open else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A store with a name, and who gets in.

    Attributes:
        name: stands in addresses and commands: small letters, digits, "-" and "_".
        title: what people call it.
        database_url: the store's SQLAlchemy URL. It may hold a password, so it is never shown.
    """

    name: str
    title: str
    database_url: str = field(repr=False)
    members: Members = field(default_factory=Members, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Projects:
    """The projects in the order in which they are described; `admins` are admins of all of them."""

    described: tuple[Project, ...]
    admins: tuple[str, ...] = field(default=(), repr=False)

    def find(self, name: str) -> Project | None:
        """Return the project of that name; None where there is none."""
        return next((project for project in self.described if project.name == name), None)

    def role_in(self, project: Project, email: str) -> Role | None:
        """Return what the person with that verified address may do in a project; None for who does not get in."""
        return listed_role(email, {Role.ADMIN: self.admins}) or project.members.role_of(email)


def listed_role(email: str, listed: Mapping[Role, Collection[str]]) -> Role | None:
    """Return the highest role that lists an address; None where none does.

    Capital letters from A to Z count as small ones. All else must be equal: full case folding makes one address of
    "straße@" and "strasse@", which belong to two people.
    """
    wanted = email.translate(_LOWER)
    for role in (Role.ADMIN, Role.REVIEWER, Role.VIEWER):
        if wanted in {entry.translate(_LOWER) for entry in listed.get(role, ())}:
            return role
    return None
