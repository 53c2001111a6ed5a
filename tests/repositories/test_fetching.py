"""A fetch from a remote that lies, stalls, redirects or floods: it ends, tells nothing, leaves nothing."""

from __future__ import annotations

import functools
import random
import socket
import subprocess
import time
from pathlib import Path

import pytest

from repositories import mirrors, reader
from repositories.addresses import public_addresses
from repositories.credentials import Credentials, decrypted, encrypted
from repositories.errors import FetchFailed
from repositories.mirrors import SyncLimits, complaints
from tests.repositories.given_git import a_repository
from tests.repositories.given_https import a_server, git_backend

TOKEN = "canary-7d1f"


def failure_of(repository, server, **options):
    """Sync, and what it failed with."""
    limits = SyncLimits(**{"floor": 0.0, **options.pop("limits", {})})
    options = {"resolver": server.resolve, "authority": server.authority, "limits": limits, **options}
    with pytest.raises(FetchFailed) as failed:
        mirrors.sync(repository, **options)
    repository.refresh_from_db()
    assert (repository.outcome, repository.error) == (failed.value.code, failed.value.message)
    return failed.value


def nobody(host, port):
    """An address where no server listens."""
    return ("127.0.0.1",)


@pytest.fixture
def answering(served, authority):
    """Start servers that answer in their own way, and stop them after the test."""
    import contextlib

    with contextlib.ExitStack() as stack:
        yield lambda answer, host="git.example.org": stack.enter_context(
            a_server(served, authority, host=host, answer=answer)
        )


def test_git_connects_to_the_address_that_was_checked(repository, remote, server, answering):
    """The name exists nowhere: without the pin git would find no server, with it exactly this one."""
    other = answering(git_backend)
    asked = []

    def flip(host, port):
        asked.append(host)
        return (server.address,) if len(asked) == 1 else (other.address,)

    mirrors.sync(repository, resolver=flip, authority=server.authority)
    assert asked == ["git.example.org"]
    assert len(server.requests) >= 2
    assert other.requests == []


@pytest.mark.parametrize("inside", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"])
def test_a_host_with_one_address_inside_is_never_connected(repository, remote, server, inside):
    def resolve(host, port):
        return public_addresses(("8.8.8.8", inside))

    failure = failure_of(repository, server, resolver=resolve)
    assert (failure.code, server.requests) == ("refused", [])
    assert inside not in failure.message


def test_the_usual_resolver_refuses_this_very_machine(repository, remote, server):
    repository.remote = "https://localhost.localdomain.example:8443/a"
    repository.save()
    failure = failure_of(repository, server, resolver=mirrors.public_resolver)
    assert (failure.code, server.requests) == ("refused", [])


@pytest.mark.parametrize(
    "remote_text", ["http://git.example.org/a", "file:///etc", "/etc", "-u", "ext::sh", "git@a:b"]
)
def test_an_address_that_came_into_the_row_some_other_way_is_refused_too(repository, server, remote_text):
    repository.remote = remote_text
    repository.save()
    assert failure_of(repository, server).code == "refused"
    assert server.requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(repository, remote, answering, status):
    second = answering(git_backend, "other.example.org")

    def redirect(handler):
        handler.reply(
            status, {"Location": f"{second.url('rules.git')}{handler.path.removeprefix('/rules.git')}"}
        )

    first = answering(redirect)
    failure = failure_of(repository, first)
    assert failure.code == "failed"
    assert "other" not in failure.message
    assert second.requests == []
    assert len(first.requests) == 1


def test_a_redirect_on_the_same_host_is_not_followed_either(repository, remote, answering):
    def redirect(handler):
        handler.reply(302, {"Location": handler.path.replace("rules", "other")})

    server = answering(redirect)
    failure_of(repository, server)
    assert len(server.requests) == 1


def with_credentials(repository):
    repository.credentials = encrypted(Credentials("reader", TOKEN))
    repository.save()
    return Credentials("reader", TOKEN).header.split(": ")[1]


def test_credentials_go_to_the_remote_in_a_header(repository, remote, answering):
    header = with_credentials(repository)

    def ask(handler):
        if handler.headers.get("Authorization") == header:
            git_backend(handler)
        else:
            handler.reply(401, {"WWW-Authenticate": "Basic"})

    server = answering(ask)
    mirrors.sync(repository, resolver=server.resolve, authority=server.authority)
    assert reader.tip_of(repository.mirror, "main") == remote.tip()
    assert {request.headers.get("Authorization") for request in server.requests} == {header}


def test_refused_credentials_are_sent_once(repository, remote, answering):
    with_credentials(repository)
    server = answering(lambda handler: handler.reply(401, {"WWW-Authenticate": "Basic"}))
    failure = failure_of(repository, server)
    assert (failure.code, failure.message) == ("auth", "The remote refused the credentials.")
    assert len([request for request in server.requests if "Authorization" in request.headers]) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_without_credentials_a_closed_remote_says_so(repository, remote, answering, status):
    server = answering(lambda handler: handler.reply(status, {"WWW-Authenticate": "Basic"}))
    assert failure_of(repository, server).code == "auth"
    assert not [request for request in server.requests if "Authorization" in request.headers]


def test_credentials_of_another_key_are_not_sent(repository, remote, server, settings):
    with_credentials(repository)
    settings.CREDENTIALS_KEY = "another key"
    failure = failure_of(repository, server)
    assert (failure.code, server.requests) == ("auth", [])
    assert "enter them again" in failure.message


def test_credentials_never_stand_on_a_command_line(repository, remote, answering):
    """Every process of the machine is looked at while git waits for the server."""
    header = with_credentials(repository)
    lines = []

    def look(handler):
        for place in Path("/proc").iterdir():
            if place.name.isdigit():
                try:
                    lines.append((place / "cmdline").read_bytes())
                except OSError:
                    continue
        git_backend(handler)

    server = answering(look)
    mirrors.sync(repository, resolver=server.resolve, authority=server.authority)
    seen = b"\n".join(lines)
    assert b"ls-remote" in seen
    assert b"remote-https" in seen
    assert TOKEN.encode() not in seen
    assert header.split()[1].encode() not in seen


def test_no_message_and_no_log_tells_a_secret(repository, remote, answering, caplog):
    header = with_credentials(repository)

    def echo(handler):
        text = f"Authorization: {header} {TOKEN} from 10.1.2.3 in /srv/git/secret".encode()
        handler.reply(500, {"Content-Type": "text/plain", "X-Echo": TOKEN}, text)

    failure = failure_of(repository, answering(echo))
    told = f"{failure} {failure.detail} {caplog.text} {repository.error} {failure!r}"
    for secret in (TOKEN, header.split()[1], "10.1.2.3", str(repository.mirror), "/srv/git"):
        assert secret not in told


def test_stored_credentials_hold_no_plain_text(repository):
    with_credentials(repository)
    repository.refresh_from_db()
    stored = bytes(repository.credentials)
    assert TOKEN.encode() not in stored
    assert decrypted(stored).token == TOKEN
    assert TOKEN not in repr(decrypted(stored))


def stall(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    time.sleep(20)


def drip(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/x-git-upload-pack-advertisement")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b"0")
        handler.wfile.flush()
        time.sleep(0.1)


@pytest.mark.parametrize("answer", [stall, drip])
@pytest.mark.parametrize("limits", [{"ask": 1.0}, {"patience": 2, "ask": 15}])
def test_a_slow_remote_ends_by_a_limit(repository, remote, answering, answer, limits):
    started = time.monotonic()
    failure = failure_of(repository, answering(answer), limits=limits)
    assert failure.code == "timeout"
    assert time.monotonic() - started < 8


def test_a_fetch_that_stalls_after_the_first_answer_ends_too(repository, remote, answering):
    def half(handler):
        if b"command=fetch" in handler.body():
            time.sleep(10)
        git_backend(handler)

    failure = failure_of(repository, answering(half), limits={"seconds": 1.0})
    assert failure.code == "timeout"
    assert list((repository.mirror / "objects/pack").iterdir()) == []


def test_no_process_outlives_its_limit(repository, remote, answering):
    failure_of(repository, answering(stall), limits={"ask": 0.5})
    time.sleep(0.2)
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "git.example.org" not in left


def test_a_fetch_that_grows_too_large_is_stopped_and_leaves_nothing(repository, remote, server):
    noise = random.Random(1)
    for number in range(4):
        remote.commit({f"{number}.bin": noise.randbytes(8 << 20)})
    failure = failure_of(repository, server, limits={"bytes": 1 << 20})
    assert failure.code == "too-large"
    assert list((repository.mirror / "objects/pack").iterdir()) == []
    assert reader.branches(repository.mirror) == []


def test_without_free_space_nothing_is_fetched(repository, remote, server):
    failure = failure_of(repository, server, limits={"free": 1 << 60})
    assert failure.code == "disk"
    assert not [request for request in server.requests if "POST" in request.line and "fetch" in request.line]


def test_whatever_keeps_git_from_connecting_reads_alike(repository, remote, server, answering, tmp_path):
    def hang_up(handler):
        handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True

    refused = functools.partial(failure_of, repository, server, resolver=nobody)
    untrusted = functools.partial(failure_of, repository, server, authority=None)
    lost = functools.partial(failure_of, repository, answering(hang_up))
    gone = functools.partial(failure_of, repository, answering(lambda handler: handler.reply(404)))
    told = {(failed.code, failed.message) for failed in (refused(), untrusted(), lost(), gone())}
    assert told == {("failed", "The remote could not be fetched.")}


def test_a_failure_takes_its_time(repository, remote, server):
    started = time.monotonic()
    failure_of(repository, server, resolver=nobody, limits={"floor": 0.6})
    assert time.monotonic() - started >= 0.6


def test_a_shallow_remote_is_named_as_what_it_is(repository, served, server, tmp_path):
    whole = a_repository(tmp_path / "whole.git", [{"a.md": "1"}, {"a.md": "2"}])
    command = ["git", "clone", "-q", "--bare", "--depth=1", f"file://{whole.path}", str(served / "rules.git")]
    subprocess.run(command, check=True)
    failure = failure_of(repository, server)
    assert (failure.code, failure.message) == ("failed", complaints.SHALLOW)


@pytest.mark.parametrize(
    ("stderr", "code"),
    [
        (b"fatal: write error: No space left on device", "disk"),
        (b"fatal: unable to access 'https://h/': Operation too slow. Less than 1000 bytes/sec", "timeout"),
        (b"Failed to connect to h port 443 after 30 ms: Connection timed out", "failed"),
        (b"fatal: could not read Username for 'https://h': terminal prompts disabled", "auth"),
        (b"", "failed"),
    ],
)
def test_complaints_of_git_have_a_meaning(stderr, code):
    assert complaints.meaning_of(stderr) == code
