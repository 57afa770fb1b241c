"""What the built-in judges cannot see: said wherever a judge is chosen or measured, and in the README."""

EMBEDDED = (
    "A paraphrase that shares few words with its chunk may be called not_mentioned.",
    "One word changed for another (a verb, say) is mostly not seen: on such edits of summaries it is little better "
    "than chance.",
    "Contradicted means that a value, a name, a negation or a field differs in a sentence that says nearly the same; "
    "in long how-to texts that may be the step or the value of another recipe, so read both sides.",
    "What follows only by arithmetic, by common knowledge or by joining several chunks is not inferred.",
    "In records and tables, yes-or-no fields, opening hours and cells that a claim names by row and column are held "
    "against it; texts in cells and the headings above a table are not.",
    "It is made for English; who did what to whom is seen in simple sentences only, irony and hypotheticals not at "
    "all.",
    "No judge that reads only the retrieved chunks can tell whether the chunks themselves are true.",
)

MODEL = (
    "Asked again, it may give another verdict; repeats show how often.",
    "It tends to be kind to fluent text, and to answers that its own family of models wrote.",
    "Text under judgement can try to talk it round; such text is marked as data, which helps and is not always enough.",
    "It may know things that the chunks do not say, and count them as support.",
    "No judge that reads only the retrieved chunks can tell whether the chunks themselves are true.",
)
