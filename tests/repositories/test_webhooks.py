"""Webhooks: each host proves itself in its own way, and to anybody else every repository is unknown."""

from __future__ import annotations

import base64
import hmac

import pytest
from django.test import Client
from django_q.models import OrmQ

from members.models import Activity
from repositories import webhooks
from repositories.models import Repository

BODY = b'{"ref": "refs/heads/main"}'
NOTHING = b""


@pytest.fixture
def repository(db, settings):
    settings.RATE_LIMITS = {"auth": 30}
    OrmQ.objects.all().delete()
    return Repository.objects.create(slug="rules", name="Rules", remote="https://git.example.org/rules.git")


@pytest.fixture
def secret(repository):
    return webhooks.renew_secret(repository)


def digest(secret, body=BODY):
    return hmac.new(secret.encode(), body, "sha256").hexdigest()


def standard(secret, body=BODY, number="msg_1", time="1700000000"):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.digest(key, f"{number}.{time}.".encode() + body, "sha256")
    return {
        "Webhook-Id": number,
        "Webhook-Timestamp": time,
        "Webhook-Signature": "v1,bm90IHRoaXM= v1," + base64.b64encode(signed).decode(),
    }


SIGNERS = {
    "GitHub": lambda secret, body=BODY: {"X-Hub-Signature-256": f"sha256={digest(secret, body)}"},
    "Gitea": lambda secret, body=BODY: {"X-Gitea-Signature": digest(secret, body)},
    "Forgejo": lambda secret, body=BODY: {"X-Forgejo-Signature": digest(secret, body)},
    "GitLab": lambda secret, body=BODY: {"X-Gitlab-Token": secret},
    "GitLab, signing": standard,
}
signers = pytest.mark.parametrize("sign", SIGNERS.values(), ids=SIGNERS)


def call(headers, slug="rules", body=BODY, client=None, **more):
    client = client or Client(enforce_csrf_checks=True)
    return client.post(f"/hooks/{slug}", body, "application/json", headers=headers, **more)


def told(answer):
    kept = {name: value for name, value in answer.headers.items() if name != "X-Request-Id"}
    return answer.status_code, answer.content, kept


@signers
def test_a_push_told_by_its_host_queues_a_sync(repository, secret, sign):
    assert told(call(sign(secret)))[:2] == (202, b"")
    assert OrmQ.objects.get().task["args"] == (repository.pk,)


@signers
def test_a_burst_of_pushes_queues_one(secret, sign):
    assert [call(sign(secret)).status_code for _ in range(4)] == [202] * 4
    assert OrmQ.objects.count() == 1


def test_a_greeting_and_a_form_are_heard_like_a_push(secret):
    assert (
        call({**SIGNERS["GitHub"](secret, NOTHING), "X-GitHub-Event": "ping"}, body=NOTHING).status_code
        == 202
    )
    form = b"payload=%7B%7D"
    headers = SIGNERS["GitHub"](secret, form)
    answer = Client().post("/hooks/rules", form, "application/x-www-form-urlencoded", headers=headers)
    assert answer.status_code == 202


@signers
def test_whoever_is_not_the_host_hears_the_same_as_of_an_unknown_repository(repository, secret, sign):
    other = "whsec_" + base64.b64encode(b"x" * 32).decode()
    noted = Activity.objects.count()
    unknown = told(call(sign(secret), slug="nothing"))
    assert unknown[0] == 404
    assert told(call(sign(other))) == unknown
    assert told(call({})) == unknown
    webhooks.remove_secret(repository)
    assert told(call(sign(secret))) == unknown
    assert OrmQ.objects.count() == 0
    assert Activity.objects.count() == noted


@pytest.mark.parametrize("name", [name for name in SIGNERS if name != "GitLab"])
def test_a_signature_is_good_for_its_body_alone(secret, name):
    assert call(SIGNERS[name](secret), body=BODY + b" ").status_code == 404


@signers
def test_a_renewed_secret_ends_the_old_one(repository, secret, sign):
    newer = webhooks.renew_secret(repository)
    assert call(sign(secret)).status_code == 404
    assert call(sign(newer)).status_code == 202


def test_a_signature_in_the_place_of_another_is_none(secret):
    assert call({"X-Hub-Signature-256": digest(secret)}).status_code == 404
    assert call({"X-Gitea-Signature": secret}).status_code == 404
    assert call({"X-Gitlab-Token": digest(secret)}).status_code == 404
    assert call({**standard(secret), "Webhook-Id": "msg_2"}).status_code == 404
    assert call({"X-Gitlab-Token": "ſecret\u00e9"}).status_code == 404


def test_a_secret_under_another_key_is_none(secret, settings):
    settings.CREDENTIALS_KEY = "another key"
    webhooks._decoy.cache_clear()
    assert call(SIGNERS["GitHub"](secret)).status_code == 404
    webhooks._decoy.cache_clear()


def test_the_secret_of_one_repository_opens_no_other(secret):
    other = Repository.objects.create(slug="laws", name="Laws", remote="https://git.example.org/laws.git")
    webhooks.renew_secret(other)
    assert call(SIGNERS["GitHub"](secret), slug="laws").status_code == 404


def test_there_is_nothing_to_get(secret):
    for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"):
        assert Client().generic(method, "/hooks/rules", headers=SIGNERS["GitHub"](secret)).status_code == 405


def test_a_body_is_read_up_to_its_limit(secret):
    large = b" " * (1 << 20)
    assert call(SIGNERS["GitHub"](secret, large), body=large).status_code == 202
    larger = large + b" "
    assert call(SIGNERS["GitHub"](secret, larger), body=larger).status_code == 413
    assert call({}, slug="nothing", body=larger).status_code == 413


def test_whoever_guesses_is_stopped_and_the_host_is_not(secret, settings):
    settings.RATE_LIMITS = {"auth": 2}
    found = [call({}, slug=slug).status_code for slug in ("nothing", "rules", "rules", "nothing")]
    assert found == [404, 404, 429, 429]
    assert call(SIGNERS["GitHub"](secret)).status_code == 202
