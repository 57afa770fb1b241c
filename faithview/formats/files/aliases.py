"""The usual column names of each field, most likely first, including German, French and Spanish ones."""

import re
import unicodedata
from collections.abc import Sequence
from types import MappingProxyType

from faithview.domain.mapping import Field

# Names are compared folded: "actualOutput", "Actual Output" and "actual-output" are "actual_output".
ALIASES: MappingProxyType[Field, tuple[str, ...]] = MappingProxyType(
    {
        "question": (
            "question", "user_input", "query", "input", "prompt", "user_query", "user_question", "user_prompt",
            "instruction", "inputs", "request", "query_text", "q",
            "frage", "anfrage", "kundenfrage", "nutzerfrage", "benutzerfrage", "pregunta", "consulta", "requete",
        ),
        "answer": (
            "answer", "response", "actual_output", "output", "generated_answer", "completion", "model_answer",
            "llm_answer", "rag_answer", "model_output", "model_response", "llm_response", "llm_output",
            "generated_response", "generated_text", "generated_output", "assistant_response", "bot_response",
            "prediction", "predicted_answer", "generation", "reply", "result", "outputs", "summary",
            "antwort", "ausgabe", "modellausgabe", "ki_antwort", "bot_antwort", "modellantwort", "generierte_antwort",
            "reponse",
            "reponse_generee", "respuesta", "respuesta_generada",
        ),
        "claim": (),
        "contexts": (
            "retrieved_contexts", "retrieval_context", "retrieved_context", "retrieved_chunks", "retrieved_passages",
            "retrieved_documents", "retrieved_docs", "contexts", "chunks", "passages", "documents",
            "source_documents", "context_chunks", "source_nodes", "docs", "context", "chunk", "passage", "document",
            "knowledge",
            "abgerufene_dokumente", "abgerufene_abschnitte", "kontexte", "textstellen", "abschnitte", "dokumente",
            "kontext", "textstelle", "abschnitt", "dokument", "contextes_recuperes", "documents_recuperes",
            "contextes", "extraits", "contexte", "extrait", "documentos_recuperados", "fragmentos_recuperados",
            "contextos", "fragmentos", "pasajes", "documentos", "contexto", "fragmento", "pasaje", "documento",
        ),
        "context_ids": (
            "context_ids", "retrieved_context_ids", "retrieved_chunk_ids", "retrieved_document_ids",
            "retrieved_doc_ids", "retrieved_ids", "chunk_ids", "document_ids", "doc_ids", "passage_ids",
        ),
        "key": (
            "key", "id", "qid", "question_id", "query_id", "sample_id", "row_id", "example_id", "record_id",
            "answer_id", "uid", "uuid", "_id", "custom_id",
        ),
        "segment": (
            "segment", "category", "topic", "task", "task_type", "domain", "intent", "product",
            "kategorie", "thema", "categorie", "theme", "categoria", "tema",
        ),
        "reference": (
            "reference", "ground_truth", "ground_truths", "expected_output", "expected_answer", "reference_answer",
            "gold_answer", "golden_answer", "gt_answer", "expected_response", "correct_answer", "target",
            "erwartete_antwort", "richtige_antwort", "referenzantwort", "musterantwort", "sollantwort",
            "reponse_attendue", "reponse_correcte", "reponse_de_reference", "respuesta_esperada",
            "respuesta_correcta", "respuesta_de_referencia",
        ),
        "timestamp": (
            "timestamp", "created_at", "asked_at", "answered_at", "datetime", "date", "time", "created", "ts",
            "start_time",
            "datum", "zeitstempel", "zeitpunkt", "horodatage", "fecha",
        ),
    }
)  # fmt: skip
_KNOWN = frozenset(name for names in ALIASES.values() for name in names)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\s\-./]+")
_NUMBERED = re.compile(
    r"(?:retrieved_|retrieval_|source_)?(?:contexte?|chunk|passage|document|doc|ctx|kontext|abschnitt|textstelle|dokument"
    r"|extrait|contexto|fragmento|pasaje|documento)_?(\d{1,9})(?:_(?:text|content))?"
)


def fold_name(column: str) -> str:
    """Return a column's name in the form that is compared: lower case, no accents, one underscore between words.

    A colon or a question mark at its end is removed.
    """
    name = _SEPARATORS.sub("_", _CAMEL.sub("_", column.strip().rstrip(":?").rstrip())).lower()
    if name.isascii():
        return name
    return "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))


def is_known_column(column: str, *, only: Field | None = None) -> bool:
    """Return whether a tool uses this name for a field that FaithView reads, or for the field `only` if given."""
    name = fold_name(column)
    return name in ALIASES[only] if only else name in _KNOWN or bool(_NUMBERED.fullmatch(name))


def find_columns(field: Field, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns whose name means the field, most likely first."""
    by_name = {fold_name(column): column for column in reversed(columns)}
    return tuple(by_name[name] for name in ALIASES[field] if name in by_name)


def find_numbered_contexts(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns such as context_1, context_2, ..., in the order of their numbers."""
    numbered = {column: int(found[1]) for column in columns if (found := _NUMBERED.fullmatch(fold_name(column)))}
    return tuple(sorted(numbered, key=lambda column: numbered[column]))
