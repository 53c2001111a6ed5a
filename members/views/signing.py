"""The door: signing in and out."""

from __future__ import annotations

from django.contrib.auth.views import LoginView, LogoutView

from members.forms.signing import SignIn

sign_in = LoginView.as_view(
    template_name="members/signin.html", authentication_form=SignIn, redirect_authenticated_user=True
)
sign_out = LogoutView.as_view()
