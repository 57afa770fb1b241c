"""pytest in a process of its own, without the plugins of packages that are installed for other tests."""

_NAMES = ("anyio", "hypothesispytest", "langsmith_plugin", "schemathesis")

# Options of pytest. Those plugins take each process two seconds to import, and workers of pytest-xdist too.
WITHOUT_OTHER_PLUGINS = [part for name in _NAMES for part in ("-p", f"no:{name}")]
