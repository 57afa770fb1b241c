"""What Inspect's address says, and that it says it whole again."""

import pytest

from faithview.ui.inspect.place import join, split


@pytest.mark.parametrize(
    "names", [[], ["Billing"], ["Billing", "Übersee"], ["a, b", "c"], ["back\\slash", ",", "\\,"], ["", "x"]]
)
def test_names_survive_the_address(names: list[str]) -> None:
    assert split(join(names)) == names


def test_a_name_without_a_comma_stands_as_it_is() -> None:
    assert join(["Shared inboxes"]) == "Shared inboxes"
