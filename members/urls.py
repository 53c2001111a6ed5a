"""Addresses of signing in and out, of tokens, and of the activity log."""

from django.urls import path

from members.api import LeakedToken
from members.views import activity, signing, tokens

urlpatterns = [
    path("signin", signing.sign_in, name="signin"),
    path("signout", signing.sign_out, name="signout"),
    path("tokens", tokens.tokens, name="tokens"),
    path("tokens/revoke", LeakedToken.as_view(), name="leaked-token"),
    path("tokens/<uuid:key>/rotate", tokens.rotated, name="rotate-token"),
    path("tokens/<uuid:key>/revoke", tokens.revoked, name="revoke-token"),
    path("activity", activity.everyone, name="activity"),
    path("projects/<str:slug>/activity", activity.of_project, name="project-activity"),
    path("api/projects/<str:reference>/activity", activity.api, name="api-activity"),
]
