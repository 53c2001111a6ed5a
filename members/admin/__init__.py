"""People, projects, tokens and the log in the Django admin; whatever is changed there is noted."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group

from members.admin.log import ActivityAdmin
from members.admin.people import MemberAdmin, change_own_password
from members.admin.projects import ProjectAdmin
from members.admin.tokens import TokenAdmin
from members.models import Activity, Member, Project, Token

admin.site.site_header = admin.site.site_title = "Kintsugi Brain"
admin.site.index_title = "Administration"
admin.site.password_change = change_own_password  # type: ignore[method-assign,assignment]

admin.site.unregister(Group)
admin.site.register(Member, MemberAdmin)
admin.site.register(Project, ProjectAdmin)
admin.site.register(Token, TokenAdmin)
admin.site.register(Activity, ActivityAdmin)
