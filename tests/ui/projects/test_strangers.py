"""Nothing of a project reaches who is not in it, on any page and by any parameter of its address."""

from collections.abc import Mapping

import pytest

from faithview.domain.run import Run
from faithview.ui import navigation
from tests.payloads import PARAMETERS
from tests.ui.made_projects import SECRET
from tests.ui.projects.conftest import OpenAs, texts_of

_PAGES = list(navigation.ADDRESSES)


def _address_of(run: Run) -> dict[str, str]:
    """Return an address that names, in every parameter, something of a run."""
    values = {
        **dict.fromkeys(("run", "baseline", "candidate"), run.run_id),
        **dict.fromkeys(("row", "key"), "row-11"),
        "series": str(run.series),
        "dataset": str(run.series),
    }
    return {name: values.get(name, "1") for name in PARAMETERS}


@pytest.mark.parametrize(("person", "project"), [("ada", "support"), ("ada", "legal"), ("nobody", "legal")])
def test_no_page_and_no_parameter_shows_a_stranger_anything(
    open_as: OpenAs, runs: Mapping[str, Run], person: str, project: str
) -> None:
    address = {**_address_of(runs["legal"]), "project": project}
    app = open_as(person, **address)
    assert SECRET not in texts_of(app)
    for page in _PAGES:
        app.query_params.update(address)
        app.switch_page(page).run()
        assert not app.exception, page
        assert SECRET not in texts_of(app), page


def test_the_test_would_see_it(open_as: OpenAs, runs: Mapping[str, Run]) -> None:
    app = open_as("ben", navigation.ANSWERS, project="legal", run=runs["legal"].run_id, row="row-11")
    assert SECRET in texts_of(app)
