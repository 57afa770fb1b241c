"""The database: its tables, migrations, and the queries, one module per subject."""
