"""The page of the Brain for whoever manages it: what it offers, what it does, and whom it refuses."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from members.models import Activity
from repositories.models import Repository
from tests.portal.given_brain import brain_of, given_brain, given_builds, given_step
from tests.portal.test_rooms import html_of

ROOM = "/projects/lending/brain"
GUIDES = "/projects/guides/brain"
OUT_OF_BAND = {"step", "fresh", "said", "do", "stale", "builds"}  # beside what the page asks for
FORMS = ((f"{ROOM}/manage", "off"), ("/projects/lending/wiki/switch", "on"))


def sent(client, wish, *, room=ROOM, **more) -> str:
    """The page that follows when this was asked for."""
    answer = client.post(f"{room}/manage", {"do": wish, **more}, follow=True)
    assert [address for address, _ in answer.redirect_chain] == [room]
    return answer.content.decode()


def switched(client, wish, slug="lending") -> str:
    answer = client.post(f"/projects/{slug}/wiki/switch", {"do": wish}, follow=True)
    assert [address for address, _ in answer.redirect_chain] == [f"/projects/{slug}/brain"]
    return answer.content.decode()


def refusal(html: str) -> str:
    return re.findall(r'role="alert">.*?<p>(.*?)</p>', html)[0]


@pytest.mark.parametrize(
    ("columns", "offered", "is_on"),
    [
        ({"state": "ready"}, {"build", "rebuild"}, True),
        ({"state": "failed"}, {"build", "rebuild"}, True),
        ({"state": "not-built"}, {"build"}, True),
        ({"state": "queued"}, set(), True),
        ({"state": "indexing"}, set(), True),
        ({"enabled": False}, {"on"}, False),
    ],
)
def test_a_maintainer_is_offered_what_the_state_allows(ines, columns, offered, is_on):
    given_brain("lending", **columns)
    head = html_of(ines, ROOM).split('id="do"')[1].split("</header>")[0]
    assert set(re.findall(r'name="do" value="(\w+)">', head)) == offered
    assert ('popovertarget="ask-off"' in head) is is_on


def test_the_branches_of_the_mirror_are_offered_and_the_default_one_is_marked(ines):
    options = re.findall(r"<option .*?</option>", html_of(ines, GUIDES))
    assert options == [
        '<option value="drafts">drafts</option>',
        '<option value="main" selected>main (default)</option>',
        '<option value="release/2026-11">release/2026-11</option>',
    ]


def test_a_followed_branch_that_is_gone_is_still_told(ines):
    given_brain("lending", branch="old")
    assert '<option value="old" selected>old (gone)</option>' in html_of(ines, ROOM)


def test_a_reader_sees_facts_and_nothing_to_press(rolf):
    for room in (ROOM, GUIDES):
        html = html_of(rolf, room)
        assert "142 documents" in html or "5 documents" in html
        assert 'name="do"' not in html
        assert 'popovertarget="ask-' not in html
        assert "<select" not in html
        assert "On disk" not in html


@pytest.mark.parametrize(
    ("wish", "told", "state", "wanted"),
    [
        ("build", "A build of main is queued.", "queued", "build"),
        ("rebuild", "A whole build of main is queued.", "queued", "whole"),
        ("on", "The Brain is on. A build of main is queued.", "queued", "build"),
        ("off", "The Brain is off. Its tree is kept.", "ready", ""),
    ],
)
def test_what_was_asked_for_is_done_and_told(ines, wish, told, state, wanted):
    html = sent(ines, wish)
    brain = brain_of("lending")
    assert 'role="status">' in html
    assert f"<p>{told}</p>" in html
    assert (brain.enabled, brain.state, brain.wanted) == (wish != "off", state, wanted)
    assert told not in html_of(ines, ROOM)  # it is told once


def test_another_branch_is_followed_from_the_next_build_on(ines):
    switched(ines, "off", "guides")
    html = sent(ines, "build", room=GUIDES, branch="drafts")
    assert "A build of drafts is queued." in html
    assert brain_of("guides").branch == "drafts"


@pytest.mark.parametrize("branch", ["nope", "kintsugi/out", "-x", "a b", "x" * 300])
def test_a_branch_that_cannot_be_followed_is_refused_in_words_on_the_page(ines, branch):
    assert "is not in the mirror" in refusal(sent(ines, "build", branch=branch))
    assert brain_of("lending").branch == "main"


def test_a_brain_that_is_off_is_not_rebuilt(ines):
    given_brain("lending", enabled=False)
    assert "turned off" in refusal(sent(ines, "rebuild"))


def test_a_project_without_a_repository_says_so(ines):
    from members.models import Project

    Project.objects.filter(slug="lending").update(repository=None)
    assert "no document repository" in refusal(sent(ines, "build"))
    assert "no document repository" in refusal(switched(ines, "on"))


def test_the_wiki_holds_the_branch_and_the_brain(ines):
    html = html_of(ines, GUIDES)
    assert re.search(r'<select id="followed"[^>]* disabled', html)
    assert re.search(r'popovertarget="ask-off" disabled aria-describedby="why-on"', html)
    assert "Turn it off to choose another one." in html
    assert "Turn the wiki off before turning the Brain off" in refusal(sent(ines, "off", room=GUIDES))
    told = refusal(sent(ines, "build", room=GUIDES, branch="drafts"))
    assert told == "A wiki project&#x27;s Brain follows the default branch"


def test_the_wiki_is_turned_off_and_on(ines):
    assert "The wiki is off. The Brain stays as it is, and still follows main." in switched(
        ines, "off", "guides"
    )
    assert not brain_of("guides").wiki
    given_brain("guides", branch="drafts")
    assert "moves from <code>drafts</code> to the default branch" in html_of(ines, GUIDES)
    assert "The wiki is on. It follows main." in switched(ines, "on", "guides")
    assert (brain_of("guides").wiki, brain_of("guides").branch) == (True, "main")


@pytest.mark.parametrize(("address", "wish"), FORMS)
def test_whoever_may_not_is_refused_and_nothing_changes(rolf, noor, nobody, address, wish):
    before = brain_of("lending")
    assert rolf.post(address, {"do": wish}).status_code == 403
    assert noor.post(address, {"do": wish}).status_code == 404
    assert nobody.post(address, {"do": wish})["Location"].startswith("/signin")
    after = brain_of("lending")
    assert (after.enabled, after.wiki, after.generation) == (before.enabled, before.wiki, before.generation)
    denied = Activity.objects.filter(action="access.denied").order_by("id")
    assert [row.status for row in denied][-2:] == [403, 404]


@pytest.mark.parametrize(("address", "wish"), FORMS)
def test_a_form_without_its_token_does_nothing(ines, address, wish):
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = ines.cookies
    assert careful.post(address, {"do": wish}).status_code == 403
    assert (brain_of("lending").enabled, brain_of("lending").wiki) == (True, False)


@pytest.mark.parametrize("address", [address for address, _ in FORMS])
def test_looking_does_nothing_and_a_wish_that_there_is_not_is_refused(ines, address):
    assert ines.get(address).status_code == 405
    for wish in ("", "burn"):
        assert ines.post(address, {"do": wish}).status_code == 400
    assert brain_of("lending").wanted == ""


def test_a_running_build_shows_its_steps(rolf):
    given_step("lending", "parse", 871, 1204)
    html = html_of(rolf, ROOM)
    steps = re.findall(r"<li( aria-current=\"step\")?>(.*?)</li>", html.split('class="steps"')[1])
    plain = [re.sub(r"<[^>]+>", "", words).strip() for _, words in steps]
    assert plain == [
        *("Done: Resolve tip", "Done: List tree", "Done: Read blobs"),
        *("Parse 871 of 1,204", "Assemble", "Write", "Pin"),
    ]
    assert [bool(current) for current, _ in steps].index(True) == 3
    assert '<progress max="1204" value="871"' in html
    assert "asked for by ines" in html


def asked_again(client, step="") -> str:
    return html_of(client, f"{ROOM}?step={step}", **{"HX-Request": "true"})


def test_the_page_asks_again_only_while_a_build_waits_or_runs(ines):
    given_step("lending", "write")
    html = html_of(ines, ROOM)
    assert 'hx-get="/projects/lending/brain?step=write"' in html
    given_brain("lending", state="ready", progress=None, running=None)
    assert "hx-get" not in html_of(ines, ROOM)


def test_a_step_is_told_aloud_once(ines):
    given_step("lending", "parse", 3, 10)
    assert '<p id="step" hx-swap-oob="innerHTML">Parse, step 4 of 7</p>' in asked_again(ines, "list")
    assert 'id="step"' not in asked_again(ines, "parse")


def test_when_the_build_is_done_all_that_it_changed_comes_with_the_answer(ines):
    given_step("lending", "parse", 3, 10)
    busy = asked_again(ines)
    assert set(re.findall(r'id="(\w+)" hx-swap-oob', busy)) == {"step", "fresh"}
    given_brain("lending", state="ready", progress=None, running=None)
    done = asked_again(ines, "parse")
    assert "<html" not in done
    assert set(re.findall(r'id="(\w+)" hx-swap-oob', done)) == OUT_OF_BAND
    assert '<p id="step" hx-swap-oob="innerHTML">Up to date</p>' in done
    assert "hx-get" not in done


def test_how_long_builds_took_is_for_managers_as_it_tells_of_what_is_never_indexed(rolf):
    given_builds("lending", "ready", seconds=4.0)
    html = html_of(rolf, ROOM)
    assert "<svg width" not in html
    assert "4.0" not in html


def test_the_newest_builds_are_listed_and_drawn(ines):
    given_builds("lending", *["ready"] * 43, "failed", "ready", seconds=4.0)
    html = html_of(ines, ROOM)
    rows = re.findall(r'<time [^>]*>(\d+)</time></td><td role="cell"><code>', html)
    assert rows == [str(number) for number in range(145, 125, -1)]
    assert "budget: The build took more than 10 minutes." in html
    assert '<td role="cell" class="num" data-unit="s">4.0</td>' in html
    tones = re.findall(r'<rect class="(k\d)"', html)
    assert (len(tones), tones[-2:]) == (40, ["k4", "k2"])
    assert "1 failed, the longest 4.0 seconds" in html
    assert ' style="' not in html


def test_before_the_first_build_there_is_nothing_to_draw(ines):
    html = html_of(ines, "/projects/people/brain")
    assert "<svg width" not in html
    assert 'id="builds" aria-labelledby="builds-h" hidden' in html


@pytest.mark.parametrize(
    ("minutes", "secret", "words"),
    [
        (5, None, "every 5 minutes"),
        (1, b"x", "every minute and by webhook"),
        (0, None, "when somebody asks"),
    ],
)
def test_the_mirror_says_when_it_is_synced(rolf, settings, minutes, secret, words):
    settings.SYNC_MINUTES = minutes
    Repository.objects.filter(projects__slug="lending").update(hook_secret=secret)
    assert f"<dt>Synced</dt><dd>{words}</dd>" in html_of(rolf, ROOM)
