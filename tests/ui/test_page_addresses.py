"""What Inspect's address says, and that it says it whole again."""

import pytest

from faithview.ui.page_addresses import join_names, split_names


@pytest.mark.parametrize(
    "names", [[], ["Billing"], ["Billing", "Übersee"], ["a, b", "c"], ["back\\slash", ",", "\\,"], ["", "x"]]
)
def test_names_survive_the_address(names: list[str]) -> None:
    assert split_names(join_names(names)) == names


def test_a_name_without_a_comma_stands_as_it_is() -> None:
    assert join_names(["Shared inboxes"]) == "Shared inboxes"
