"""Remotes: one allowed spelling, every other refused before anything connects."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repositories.addresses import parse_remote, public_addresses
from repositories.errors import RemoteRefused

REFUSED = [
    "",
    " ",
    "/srv/git/rules.git",
    "./rules.git",
    "../rules.git",
    "~/rules.git",
    "rules",
    "-u",
    "--upload-pack=touch /tmp/x",
    "-https://git.example.org/a",
    "file:///etc/passwd",
    "file://git.example.org/a",
    "FILE:///srv/git",
    "ext::sh -c touch% /tmp/x",
    "ext::https://git.example.org/a",
    "fd::17",
    "git::https://git.example.org/a",
    "https::https://git.example.org/a",
    "git://git.example.org/a",
    "ssh://git@git.example.org/a",
    "git+ssh://git.example.org/a",
    "git@git.example.org:team/rules.git",
    "git.example.org:team/rules.git",
    "http://git.example.org/a",
    "HTTP://git.example.org/a",
    "ftp://git.example.org/a",
    "ftps://git.example.org/a",
    "gopher://git.example.org/a",
    "data://text/plain",
    "javascript://git.example.org/%0aalert(1)",
    "https:git.example.org/a",
    "https:/git.example.org/a",
    "https:///a",
    "https://",
    "https://git.example.org",
    "https://git.example.org/",
    "https://git.example.org//",
    "https://git.example.org//a",
    "https://git.example.org/a//b",
    "https://git.example.org/./a",
    "https://git.example.org/../a",
    "https://git.example.org/a/%2e%2e/b",
    "https://git.example.org/a/%2E/b",
    "https://good.example.org@evil.example.com/a",
    "https://user:token@git.example.org/a",
    "https://:@git.example.org/a",
    "https://git.example.org\\@evil.example.com/a",
    "https://git.example.org/a?b=c",
    "https://git.example.org/a#b",
    "https://git.example.org?/a",
    "https://git.example.org#/a",
    "https://git.example.org/a b",
    "https://git.example.org/a\r\nX-Injected: y",
    "https://git.example.org/a\tb",
    "https://git.example.org/a\x00",
    "https://git.example.org/a%0d%0aX-Injected:%20y",
    "https://git.example.org/a%00",
    "https://git.example.org/a%20b",
    "https://git.example.org/a%5cb",
    "https://git.example.org/a%3fb",
    "https://git.example.org/a%",
    "https://git.example.org/a%zz",
    "https://git.example.org/<a>",
    'https://git.example.org/"a"',
    "https://git.example.org/{a}",
    "https://git.exämple.org/a",
    "https://gіt.example.org/a",
    "https://git.example.org/ä",
    "https://git。example。org/a",
    "https://git_host.example.org/a",
    "https://-git.example.org/a",
    "https://git-.example.org/a",
    "https://git..example.org/a",
    "https://.example.org/a",
    "https://example.org./a",
    "https://%67it.example.org/a",
    f"https://{'a' * 64}.example.org/a",
    f"https://{'a.' * 130}org/a",
    "https://git.example.org:80/a",
    "https://git.example.org:22/a",
    "https://git.example.org:/a",
    "https://git.example.org:0443/a",
    "https://git.example.org:443:443/a",
    "https://git.example.org:+443/a",
    "https://127.0.0.1/a",
    "https://2130706433/a",
    "https://0x7f000001/a",
    "https://0x7f.1/a",
    "https://127.1/a",
    "https://0177.0.0.1/a",
    "https://git.example.0x7f/a",
    "https://8.8.8.8/a",
    "https://[::1]/a",
    "https://[::ffff:127.0.0.1]/a",
    "https://[2001:4860:4860::8888]/a",
    "https://localhost/a",
    "https://git.localhost/a",
    "https://printer.local/a",
    "https://metadata.google.internal/a",
    "https://router/a",
    "https://git.example.org/" + "a" * 2_000,
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_remote_in_any_other_spelling_is_refused(text):
    with pytest.raises(RemoteRefused) as refused:
        parse_remote(text)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://git.example.org/team/rules.git", "https://git.example.org/team/rules.git"),
        ("HTTPS://GIT.Example.ORG:443/Team/Rules", "https://git.example.org/Team/Rules"),
        ("https://git.example.org:8443/a/", "https://git.example.org:8443/a"),
        ("https://xn--exmple-cua.org/~a/b+c@d;e,f=1", "https://xn--exmple-cua.org/~a/b+c@d;e,f=1"),
        ("https://git.example.org/a%C3%A4", "https://git.example.org/a%C3%A4"),
    ],
)
def test_a_remote_is_rebuilt_from_its_parts(text, url):
    assert parse_remote(text).url == url
    assert parse_remote(url).url == url


@given(st.text(st.sampled_from(string.printable + "é\u202e\x00"), max_size=60))
def test_whatever_is_allowed_holds_one_host_and_one_path(rest):
    try:
        remote = parse_remote(f"https://git.example.org{rest}")
    except RemoteRefused:
        return
    assert remote.host == "git.example.org" or remote.host.startswith("git.example.org")
    assert remote.url.startswith(f"https://{remote.host}")
    assert set(remote.url) <= set(string.ascii_letters + string.digits + "-._~:/@!$&'()*+,;=%")
    assert parse_remote(remote.url) == remote


INSIDE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::8.8.8.8",
    "::ffff:8.8.8.8",
    "::ffff:10.0.0.1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2a00:1450:4001::1%eth0",
    "fec0::1",
    "ff02::1",
    "2130706433",
    "0x7f000001",
    "localhost",
    "",
]


@pytest.mark.parametrize("address", INSIDE)
def test_one_address_inside_refuses_the_host_in_any_order(address):
    for answers in ([address], [address, "8.8.8.8"], ["8.8.8.8", address], ["2a00:1450:4001::1", address]):
        with pytest.raises(RemoteRefused):
            public_addresses(answers)


def test_a_host_without_an_address_is_refused():
    with pytest.raises(RemoteRefused):
        public_addresses([])


def test_public_addresses_stay_each_once():
    answers = ["8.8.8.8", "2a00:1450:4001:0::1", "8.8.8.8"]
    assert public_addresses(answers) == ("8.8.8.8", "2a00:1450:4001::1")


@given(st.ip_addresses())
def test_no_address_that_is_not_global_gets_through(address):
    try:
        assert public_addresses([str(address)])
    except RemoteRefused:
        return
    assert address.is_global
    assert not address.is_multicast
