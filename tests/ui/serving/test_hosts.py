"""Which names the dashboard answers to, and whose pages it listens to."""

import pytest

from faithview.domain.errors import InvalidInput
from faithview.hosts import Hosts, is_loopback, read_hosts


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("127.0.0.1:8501", True), ("127.0.0.1", True), ("localhost:8501", True), ("LOCALHOST", True),
        ("localhost.", True), ("[::1]:8501", True), ("127.0.0.53", True),
        (None, False), ("", False), ("evil.test", False), ("evil.test:8501", False), ("localhost.evil.test", False),
        ("127.0.0.1.evil.test", False), ("0.0.0.0:8501", False), ("10.0.0.5", False), ("[::]", False),
        ("127.0.0.1@evil.test", False), ("evil.test#127.0.0.1", False), ("127.0.0.1/evil", False),
        ("127.0.0.1:99999", False), ("127.0.0.1:x", False), ("127.0.0.1 evil.test", False), ("::1", False),
    ],
)  # fmt: skip
def test_only_names_of_this_machine_are_answered_to(host: str | None, answered: bool) -> None:
    assert Hosts().answers_to(host) is answered


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("faithview.example.com", True), ("FaithView.Example.Com:443", True),
        ("a.faithview.example.com", False), ("example.com", False), ("faithview.example.com.evil.test", False),
        ("10.0.0.5:8501", True), ("[2001:db8::1]:8501", True),
    ],
)  # fmt: skip
def test_names_in_the_setting_are_answered_to(host: str, answered: bool) -> None:
    hosts = read_hosts("faithview.example.com,10.0.0.5,[2001:DB8::1]")
    assert hosts.answers_to(host) is answered


def test_any_name_is_answered_to_where_the_setting_says_so() -> None:
    assert Hosts(allowed=("*",)).answers_to("evil.test")
    assert not Hosts(allowed=("*",)).answers_to("a b")
    assert not Hosts(allowed=("*",)).accepts_page("http://evil.test", host="127.0.0.1:8501")


@pytest.mark.parametrize(
    "entry",
    [
        "http://a.example",
        "a.example:0",
        "a.example:65536",
        "a.example:",
        "*:80",
        "a b",
        "*.example.com",
        "*a.example",
        "a/b",
        "é.example",
    ],
)
def test_a_setting_that_is_no_name_is_refused_by_its_text(entry: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_hosts(f"ok.example,{entry}")
    assert repr(entry) in str(refused.value)


@pytest.mark.parametrize(
    ("origin", "host", "accepted"),
    [
        (None, "127.0.0.1:8501", True),
        ("http://127.0.0.1:8501", "127.0.0.1:8501", True),
        ("http://LOCALHOST:8501", "localhost:8501", True),
        ("http://localhost:3000", "localhost:8501", False),  # another program of this machine
        ("http://127.0.0.1:8501", "localhost:8501", False),
        ("http://evil.test:8501", "127.0.0.1:8501", False),
        ("http://evil.test", "evil.test", True),  # whose name is not answered to
        ("null", "127.0.0.1:8501", False),
        ("", "127.0.0.1:8501", False),
        ("file://", "127.0.0.1:8501", False),
        ("chrome-extension://127.0.0.1:8501", "127.0.0.1:8501", False),
        ("https://faithview.example.com", "127.0.0.1:8501", True),  # behind a proxy that hands on under its own name
        ("http://127.0.0.1:8501@evil.test", "127.0.0.1:8501", False),
        ("http://[", "127.0.0.1:8501", False),
    ],
)
def test_only_our_own_pages_are_listened_to(origin: str | None, host: str, accepted: bool) -> None:
    assert Hosts(allowed=("faithview.example.com",)).accepts_page(origin, host=host) is accepted


@pytest.mark.parametrize(
    ("allowed", "origin", "accepted"),
    [
        ("localhost", "http://localhost:3000", False),
        ("localhost", "http://localhost", False),
        ("localhost:3000", "http://localhost:3000", False),
        ("127.0.0.1,[::1]", "http://127.0.0.1:3000", False),
        ("127.0.0.1,[::1]", "http://[::1]", False),
        ("localhost", "http://localhost:8501", True),  # the host that it was sent to
        ("faithview.example.com", "https://faithview.example.com", True),
        ("faithview.example.com", "https://faithview.example.com:443", True),
        ("faithview.example.com", "http://faithview.example.com", True),
        ("faithview.example.com", "https://faithview.example.com:80", False),
        ("faithview.example.com", "https://faithview.example.com:8443", False),
        ("faithview.example.com", "https://faithview.example.com:0", False),
        ("faithview.example.com:8443", "https://faithview.example.com:8443", True),
        ("faithview.example.com:8443", "https://faithview.example.com", False),
        ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443", True),
        ("10.0.0.5", "http://10.0.0.5:3000", False),
    ],
)
def test_an_allowed_name_speaks_for_the_proxy_s_port_and_no_other(allowed: str, origin: str, accepted: bool) -> None:
    assert read_hosts(allowed).accepts_page(origin, host="localhost:8501") is accepted


def test_a_port_says_nothing_about_where_requests_go() -> None:
    hosts = read_hosts("faithview.example.com:8443,[2001:db8::1]:8443")
    assert hosts.names == ("faithview.example.com", "2001:db8::1")
    assert all(
        hosts.answers_to(host) for host in ("faithview.example.com", "faithview.example.com:80", "[2001:db8::1]")
    )


def test_addresses_of_this_machine_are_known() -> None:
    assert [is_loopback(name) for name in ("localhost", "127.9.9.9", "[::1]", "::1", "8.8.8.8", "evil.test")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip
