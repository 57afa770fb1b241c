"""The published schema: a pydantic model of each JSON document that programs build on.

They are those of `faithview check`, `guard`, runs and comparisons, the lines of an export, and the service's replies
and errors; the service's OpenAPI document and the page "JSON documents" of the documentation come from them. A document
of its own is a `Document`, with `schema_version` as its first key; its parts are each a `Part`. Other commands print
FaithView's own records (`faithview.cli.output.print_json`).
"""
