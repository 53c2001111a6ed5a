"""Processes: a clean environment, limits that hold, and nothing left running."""

from __future__ import annotations

import os
import sys
import time

import pytest

from repositories import git, processes
from repositories.processes import Limits, OutputTooLarge, ProcessFailed, ProcessTimeout


def python(code):
    return [sys.executable, "-c", code]


def test_input_goes_in_and_output_comes_out():
    text = os.urandom(3 << 20)
    done = processes.run(
        python("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"), env={}, input=text
    )
    assert done.stdout == text


def test_a_process_that_reads_no_input_is_no_failure():
    assert processes.run(["true"], env={}, input=b"x" * (1 << 20)).stdout == b""


def test_nothing_is_inherited_but_the_path(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy")
    monkeypatch.setenv("GIT_SSH_COMMAND", "evil")
    said = processes.run(["env"], env={"GIVEN": "1"}).stdout.decode().split()
    assert {line.split("=")[0] for line in said} == {"PATH", "LC_ALL", "HOME", "GIVEN"}


def test_stderr_is_heard_as_it_comes_and_its_end_is_kept():
    heard = []
    code = "import sys; [print('x' * 1000, file=sys.stderr) for _ in range(200)]; sys.stderr.write('end\\n')"
    done = processes.run(python(code), env={}, heard=heard.append)
    assert len(b"".join(heard)) == 200 * 1_001 + 4
    assert len(done.stderr) == 1 << 16
    assert done.stderr.endswith(b"end\n")


def test_another_code_than_0_is_told_with_its_complaint():
    for call in (processes.run, lambda *args, **options: list(processes.stream(*args, **options))):
        with pytest.raises(ProcessFailed) as failed:
            call(["sh", "-c", "echo no >&2; exit 3"], env={})
        assert (failed.value.code, failed.value.stderr) == (3, b"no\n")


@pytest.mark.parametrize(
    "code", ["sleep 30", "sleep 30 & wait", "exec >&- 2>&-; sleep 30", "trap '' TERM; sleep 30"]
)
def test_the_wall_limit_ends_the_whole_group(code):
    started = time.monotonic()
    with pytest.raises(ProcessTimeout):
        processes.run(["sh", "-c", f": canary-{os.getpid()}; {code}"], env={}, limits=Limits(seconds=0.3))
    assert time.monotonic() - started < 3
    assert f"canary-{os.getpid()}".encode() not in processes.run(["ps", "-eo", "args"], env={}).stdout


def test_too_much_output_ends_the_process():
    with pytest.raises(OutputTooLarge):
        processes.run(["yes"], env={}, limits=Limits(output=1_000_000))
    chunks = processes.stream(["yes"], env={}, limits=Limits(output=1_000_000))
    with pytest.raises(OutputTooLarge):
        for _ in chunks:
            pass


def test_a_reader_that_stops_early_ends_the_process():
    chunks = processes.stream(["sh", "-c", "echo $$; exec yes"], env={})
    number = int(next(chunks).split(b"\n")[0])
    chunks.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_what_a_watcher_raises_ends_the_process():
    def watch():
        raise KeyError("enough")

    started = time.monotonic()
    with pytest.raises(KeyError):
        processes.run(["sleep", "30"], env={}, watch=watch)
    assert time.monotonic() - started < 3


def test_git_reads_no_configuration_but_its_own(tmp_path, monkeypatch):
    (tmp_path / ".gitconfig").write_text("[alias]\n\tx = status\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "alias.y")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "status")
    said = git.run(None, "config", "--list").stdout.decode()
    assert "alias" not in said
    assert "protocol.allow=never" in said
    assert "core.hookspath=/dev/null" in said


@pytest.mark.parametrize(
    "address", ["/etc", "file:///etc", "ext::sh -c id", "https://git.example.org/a", "ssh://h/a"]
)
def test_without_a_connection_git_reaches_nothing(address):
    with pytest.raises(git.GitFailed) as failed:
        git.run(None, "ls-remote", "--", address)
    assert b"not allowed" in failed.value.stderr


def test_an_old_git_is_named_as_too_old(tmp_path, monkeypatch):
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\necho git version 2.36.6\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    git.require_version.cache_clear()
    with pytest.raises(git.GitTooOld, match=r"2\.37 or newer"):
        git.require_version()
    fake.unlink()
    with pytest.raises(git.GitTooOld, match="not found"):
        git.require_version()
    monkeypatch.undo()
    git.require_version()
