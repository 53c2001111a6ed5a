"""The door: signing in and out."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView
from django.views.decorators.http import require_http_methods

from members.forms.signing import SignIn

sign_in = require_http_methods(["GET", "HEAD", "POST"])(
    LoginView.as_view(
        template_name="members/signin.html", authentication_form=SignIn, redirect_authenticated_user=True
    )
)
sign_out = LogoutView.as_view()
