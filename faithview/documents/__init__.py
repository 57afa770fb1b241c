"""The published schema: a pydantic model of every JSON document that FaithView prints, answers with or exports.

`--json`, the service's OpenAPI document, exports and the page "JSON documents" of the documentation come from these
models. A document of its own is a `Document`, with `schema_version` as its first key; its parts are each a `Part`.
Importing this package loads no pydantic; its modules do, so import them only where a document is made.
"""
