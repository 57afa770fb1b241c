"""Two versions side by side: which words are marked as problems, and which as changed."""

from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.claim import Verdict
from faithview.domain.result import Result
from faithview.domain.spans import Span
from faithview.ui.one_answer.guard import PartPayload, Version, build_sides
from tests.factories import make_claim, make_result

_GIVEN = "Inboxes hold 50 members. Links expire after 7 days. Cats are free."
_SENT = "Inboxes hold 20 members. Links expire after 7 days."


def _result(*claims: tuple[str, Verdict], answer: str = _GIVEN) -> Result:
    return make_result(*(make_claim(text, verdict, answer=answer) for text, verdict in claims))


def _version(answer: str, result: Result | None) -> Version:
    return Version(title="t", note="n", answer=answer, result=result)


def _texts(parts: list[PartPayload], change: str) -> list[str]:
    return [part["text"] for part in parts if part["change"] == change]


def test_problems_are_marked_with_verdict_and_number_and_supported_claims_are_not() -> None:
    result = _result(
        ("Inboxes hold 50 members.", Verdict.CONTRADICTED),
        ("Links expire after 7 days.", Verdict.SUPPORTED),
        ("Cats are free.", Verdict.NOT_MENTIONED),
    )
    before, after = build_sides(_version(_GIVEN, result), _version(_SENT, None))
    marked = [(part["text"], part["verdict"], part["numbers"]) for part in before["parts"] if part["verdict"]]
    assert marked == [
        ("Inboxes hold ", "contradicted", [1]),
        ("50", "contradicted", []),
        (" members.", "contradicted", []),
        ("Cats are free.", "not_mentioned", [3]),
    ]
    assert before["parts"][0]["words"] == "claim 1, contradicted"
    assert _texts(before["parts"], "removed") == ["50", "Cats are free."]
    assert _texts(after["parts"], "added") == ["20"]
    assert not any(part["verdict"] for part in after["parts"])


def test_of_two_problems_in_one_place_the_worse_is_drawn_and_both_are_named() -> None:
    result = _result(
        ("Inboxes hold 50 members.", Verdict.PARTIALLY_SUPPORTED), ("hold 50 members", Verdict.CONTRADICTED)
    )
    (side,) = build_sides(_version(_GIVEN, result), None)
    middle = next(part for part in side["parts"] if part["text"] == "hold 50 members")
    assert middle["verdict"] == "contradicted"
    assert middle["words"] == "claim 1, partially supported; claim 2, contradicted"


@given(st.text("ab. ", max_size=20), st.text("ab. ", max_size=20), st.data())
def test_the_parts_of_each_side_join_to_its_text(given_text: str, sent: str, data: st.DataObject) -> None:
    claims = []
    for verdict in data.draw(st.lists(st.sampled_from(Verdict), max_size=3)):
        if given_text:
            start = data.draw(st.integers(0, len(given_text) - 1))
            end = data.draw(st.integers(start + 1, len(given_text)))
            claims.append(make_claim("c", verdict, spans=(Span(start=start, end=end),)))
    result = make_result(*claims)
    before, after = build_sides(_version(given_text, result), _version(sent, None))
    assert "".join(part["text"] for part in before["parts"]) == given_text
    assert "".join(part["text"] for part in after["parts"]) == sent
