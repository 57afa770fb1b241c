"""The Python that the check page offers asks the same judge in the same way."""

import pytest

from faithview.domain.sample import Sample
from faithview.services.judge_catalogue import main_prompt, make_spec
from faithview.services.runs.judge_answer import check_sample
from faithview.ui.one_answer.check import python_call
from faithview.ui.one_answer.paste_form import Pasted
from tests.vendor import running


@pytest.mark.parametrize("method", ["claims", "combined"])
def test_the_python_to_copy_sends_what_the_page_sent(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(
        "openai:m",
        method=method,
        strictness="lenient",
        prompt_text=f"It's \\ mine.\n\n{main_prompt(method)}",
        prompt_name="edited",
        companions=True,
        options={"weights": "claims=1,nli=1,qa=0"} if method == "combined" else None,
    )
    pasted = Pasted(question="Which?", answer='It\'s "so".\nReally.', chunks=("It's so.", "Not \\ at all."))
    with running() as vendor:
        for name, value in vendor.environment.items():
            monkeypatch.setenv(name, value)
        check_sample(Sample.of(pasted.answer, pasted.chunks, question=pasted.question), judge=spec)
        by_page = sorted((call.schema, call.system) for call in vendor.server.calls)
        vendor.server.requests.clear()
        names: dict[str, object] = {}
        exec(python_call(pasted, spec), names)
        assert sorted((call.schema, call.system) for call in vendor.server.calls) == by_page
    assert any(system.count("It's \\ mine.") for _, system in by_page)
