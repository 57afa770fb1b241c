"""A folder of Markdown, HTML and text files as a knowledge base: its documents, and how they are split into chunks."""
