"""Words that decide what a sentence says: a claim that has others is not supported by it."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.comparing.comparison import OperatorDifference
from faithview.judges.lexical.judge import judge_sample

_C, _P = Verdict.CONTRADICTED, Verdict.PARTIALLY_SUPPORTED
_LONG = " ".join(f"The branch in street {number} sells stamps, maps and tickets for the ferry." for number in range(12))

# (family, chunk, claim, what the claim is worth)
_WRONG = [
    ("quantifier", "Most rooms on the third floor have a balcony.", "All rooms on the third floor have a balcony.", _P),
    ("quantifier", "Only a few of the jars were cracked.", "Many of the jars were cracked.", _C),
    ("quantifier", "Some of the trainees came by coach.", "Every one of the trainees came by coach.", _P),
    ("only", "The sauna is open to guests and to club members.", "The sauna is open only to guests.", _P),
    ("only", "Only plumbers may open the valve.", "Plumbers and caretakers may open the valve.", _C),
    ("frequency", "The volcano has rarely erupted.", "The volcano has always erupted.", _C),
    ("frequency", "The ferry usually stops in Lund.", "The ferry stops in Lund.", _P),
    ("exception", "All staff except trainees get the bonus.", "All staff get the bonus.", _P),
    ("exception", "Dogs are welcome on all trails but the Heron Loop.", "Dogs are welcome on the Heron Loop.", _C),
    ("condition", "Shoes can be returned if they are unworn.", "Shoes can be returned.", _P),
    ("condition", "Children ride free.", "Children ride free if an adult has a pass.", _P),
    ("unconditional", "Staff are paid if it is met.", "Staff are paid whether or not it is met.", _C),
    ("restriction", "Members who joined in May get a badge.", "Members get a badge.", _P),
    ("polarity", "The keeper failed to stop the penalty.", "The keeper stopped the penalty.", _C),
    ("polarity", "The council refused to lower the limit.", "The council lowered the limit.", _C),
    ("near_miss", "The crew almost ran out of fuel.", "The crew ran out of fuel.", _C),
    ("attempt", "The club planned to buy the hall.", "The club bought the hall.", _P),
    ("modal", "Visitors may leave bags in the lockers.", "Visitors must leave bags in the lockers.", _C),
    ("modal", "A helmet is recommended on the slope.", "A helmet is required on the slope.", _C),
    ("modal", "The club can close the gate.", "The club will close the gate.", _P),
    ("modal", "The form is optional for guests.", "The form is mandatory for guests.", _C),
    ("hedge", "Some users report that the update drains the battery.", "The update drains the battery.", _P),
    ("hedge", "The fire is suspected to be arson.", "The fire is arson.", _P),
    ("rank", "Lake Orrin is the second deepest lake here.", "Lake Orrin is the deepest lake here.", _C),
    ("rank", "The Astra is one of the lightest tents.", "The Astra is the lightest tent.", _P),
    ("order", "The Greens won more seats than the Liberals.", "The Liberals won more seats than the Greens.", _C),
    ("order", "The bridge was built before the tower.", "The tower was built before the bridge.", _C),
    ("order", "The coach runs from Graz to Maribor.", "The coach runs from Maribor to Graz.", _C),
    ("direction", "The rent went up by a tenth.", "The rent went down by a tenth.", _C),
    ("time_of", "The plan stays active until the end of the month.", "The plan ends immediately this month.", _C),
    ("price", "The audio guide costs 4 euros.", "The audio guide is free of charge.", _C),
    ("inclusion", "The tour price includes lunch.", "Lunch on the tour costs extra.", _C),
    ("agent", "It was composed by Lina Hartog to a text by Emil Voss.", "It was composed by Emil Voss.", _C),
    ("statement", "Gold members board early, and Silver members get a free bag.", "Silver members board early.", _C),
    ("list", "The kit has needles, thread and buttons.", "The kit has needles, thread, buttons and a thimble.", _P),
    ("reason", "The pool was closed in May.", "The pool was closed in May because of a leak.", _P),
    ("added", "The chef uses rye flour.", "The chef uses rye flour to please vegans.", _P),
    ("arithmetic", "The zoo had 3,000 visitors in May and 6,000 in June.", "Zoo visitors tripled in June.", _C),
    ("opposite", "The lamp is always on at night.", "The lamp is always off at night.", _C),
]

_RIGHT = [
    ("Every member gets a locker.", "All members get a locker."),
    ("All rooms on the third floor have a balcony.", "Some rooms on the third floor have a balcony."),
    ("The sauna is open only to guests.", "The sauna is open to guests."),
    ("None of the museums charges admission.", "No museum charges admission."),
    ("The form must be signed.", "It is required that the form is signed."),
    ("A helmet is not required.", "A helmet is optional."),
    ("The drone will not take off unless it has a signal.", "If there is no signal, the drone will not take off."),
    ("The red route is longer than the blue one.", "The blue route is shorter than the red one."),
    ("The tower was built before the bridge.", "The bridge was built after the tower."),
    ("The lamp is always on at night.", "At night the lamp is never off."),
    ("The keeper failed to stop the penalty.", "The keeper did not stop the penalty."),
    ("All items except the kettle were sold.", "The kettle was not sold."),
    ("The cream contains no perfume.", "The cream is perfume-free."),
    ("The decision was taken by the board, not by the airline.", "The decision was taken by the board."),
    ("Peter married Anna in 1990.", "Anna married Peter in 1990."),
    ("The museum was founded on 3 May 1921.", "The museum was founded in 1921."),
    ("The greenhouse has 10 trays, and every tray holds 12 seedlings.", "The trays hold 120 seedlings in total."),
    ("The class has 14 girls and 12 boys.", "The class has 26 girls and boys."),
    ("The glacier retreated by 38 metres.", "The glacier retreated by more than 30 metres."),
    ("The sauna is open from May until September.", "The sauna is open in July."),
    ("If needed, the door can be opened by hand.", "The door can be opened by hand."),
    ("The gym fee is 20 euros per month.", "The gym fee is 240 euros per year."),
]


def _difference(chunk: str, claim: str) -> OperatorDifference | None:
    (comparison,) = read_answer(Sample.of(claim, [chunk])).comparisons
    assert comparison.near is not None
    return comparison.near.difference


@pytest.mark.parametrize(("family", "chunk", "claim", "verdict"), _WRONG)
def test_another_operator_decides_against_support(family: str, chunk: str, claim: str, verdict: Verdict) -> None:
    found = _difference(chunk, claim)
    assert found is not None
    assert (found.family, found.verdict) == (family, verdict)
    (judged,) = judge_sample(Sample.of(claim, [chunk])).claims
    assert judged.verdict is not Verdict.SUPPORTED
    assert not (judged.explanation or "").endswith("says this.")


@pytest.mark.parametrize(("chunk", "claim"), _RIGHT)
def test_the_same_in_other_words_is_no_difference(chunk: str, claim: str) -> None:
    assert _difference(chunk, claim) is None


def test_the_spans_are_the_words_that_differ() -> None:
    chunk, claim = "Visitors may leave bags here.", "Visitors must leave bags here."
    found = _difference(chunk, claim)
    assert found is not None
    assert found.claim_span is not None
    assert found.passage_span is not None
    assert claim[slice(*found.claim_span)] == "must"
    assert chunk[slice(*found.passage_span)] == "may"


def test_what_only_one_side_has_is_named_alone() -> None:
    (judged,) = judge_sample(Sample.of("The lake froze.", ["The lake almost froze."])).claims
    assert judged.explanation == "Chunk 1 says “almost”, which the answer leaves out."
    (judged,) = judge_sample(Sample.of("Children ride free at night.", ["Children ride free."])).claims
    assert "night" in (judged.explanation or "")


def test_in_a_long_text_a_claim_must_nearly_repeat_the_sentence() -> None:
    chunk = f"Most rooms on the third floor of the old house have a balcony that faces the court. {_LONG}"
    rephrased = read_answer(Sample.of("All third-floor rooms come with balconies.", [chunk])).comparisons[0]
    assert rephrased.near is None
    claim = "All rooms on the third floor of the old house have a balcony that faces the court."
    found = _difference(chunk, claim)
    assert found is not None
    assert found.family == "quantifier"


def test_where_another_sentence_says_it_nothing_differs() -> None:
    chunk = "Visitors must leave bags here. Visitors may leave bags here."
    assert _difference(chunk, "Visitors may leave bags here.") is None
