"""Where runs live: SQLAlchemy models, migrations and one module of queries per noun."""
