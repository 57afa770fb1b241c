"""Two projects may be two schemas of one PostgreSQL database."""

from urllib.parse import quote

from sqlalchemy import create_engine, text

from faithview.domain.sample import Sample
from faithview.services import schema
from faithview.services.projects import read_projects
from faithview.services.results import list_runs
from faithview.settings import Settings
from tests import postgres
from tests.factories import add_run, open_services


def test_two_schemas_of_one_database_are_two_stores(postgres_server: str) -> None:
    with postgres.fresh_database(postgres_server, "test_schemas") as url:
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("CREATE SCHEMA support"))
            connection.execute(text("CREATE SCHEMA legal"))
        engine.dispose()
        sign = "&" if "?" in url else "?"
        urls = {name: f"{url}{sign}options={quote(f'-csearch_path={name}')}" for name in ("support", "legal")}
        assert read_projects({"faithview": {"projects": {name: {"db": urls[name]} for name in urls}}}) is not None
        for name, store in urls.items():
            with open_services(store) as services:
                add_run(services, [Sample.of("Yes.", ["Yes."])], name)
        for name, store in urls.items():
            assert schema.check(Settings(database_url=store)).is_current
            with open_services(store) as services:
                assert [run.name for run in list_runs(services)] == [name]
