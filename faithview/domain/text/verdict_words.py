# ruff: noqa: SIM905 - lists of words are read as words
"""The words that judges, tools and labelled data sets have for the four verdicts.

Words that say whether something is true ("yes", "false", "1") are not among them: a model that answers "false" may mean
that the chunks deny a claim or that they do not mention it. A format that knows which of the two it is adds its own.
"""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.claim import Verdict

# In lower case, with one underscore between words.
VERDICT_WORDS: Mapping[str, Verdict] = MappingProxyType(
    {
        **dict.fromkeys(
            "supported support supports full full_support fully_supported directly_supported explicitly_supported "
            "clearly_supported strongly_supported well_supported entirely_supported completely_supported "
            "entailment entailed entails fully_entailed implied inferable faithful attributable attributed grounded "
            "fully_grounded consistent correct accurate verified verifiable confirmed confirms substantiated "
            "corroborated stated mentioned backed proven".split(),
            Verdict.SUPPORTED,
        ),
        **dict.fromkeys(
            "partial partially partly partial_support partially_supported partially_support partly_supported "
            "mostly_supported largely_supported somewhat_supported weakly_supported incompletely_supported "
            "partially_entailed partial_entailment partly_entailed partially_grounded partially_verified "
            "partially_correct mostly_correct partially_accurate partially_faithful partially_attributable "
            "incomplete mixed supported_in_part in_part".split(),
            Verdict.PARTIALLY_SUPPORTED,
        ),
        **dict.fromkeys(
            "unsupported not_supported non_supported un_supported no_support lacks_support unsupportable neutral "
            "not_mentioned unmentioned not_stated unstated not_addressed not_covered not_found not_present "
            "not_in_context not_in_source not_specified not_given not_provided absent missing idk unknown unclear "
            "uncertain undetermined undecided indeterminate inconclusive not_sure cannot_tell cannot_determine "
            "cannot_be_determined unfaithful not_faithful extrapolatory extrapolated extrapolation not_entailed "
            "non_entailment unverifiable unverified not_verifiable not_verified cannot_verify cannot_be_verified "
            "unconfirmed not_confirmed unsubstantiated not_substantiated uncorroborated unproven not_proven "
            "unattributable not_attributable unattributed ungrounded not_grounded baseless unfounded fabricated "
            "fabrication hallucinated hallucination nei not_enough_info not_enough_information not_enough_evidence "
            "not_enough_context insufficient insufficient_info insufficient_information insufficient_evidence "
            "insufficient_context lacks_evidence no_evidence no_info no_information no_mention".split(),
            Verdict.NOT_MENTIONED,
        ),
        **dict.fromkeys(
            "contradicted contradiction contradictory contradicts contradict contradicting conflict conflicts "
            "conflicting conflicted in_conflict refuted refutes refute refutation refuting disproved disproven "
            "disproves denied denies negated rebutted opposed opposes inconsistent incorrect inaccurate wrong "
            "misstated misrepresented evident_conflict subtle_conflict".split(),
            Verdict.CONTRADICTED,
        ),
    }
)
