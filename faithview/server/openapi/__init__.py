"""What goes in and what comes out, and the OpenAPI document that says so."""

__all__ = ["description", "docs_page", "request_bodies"]
