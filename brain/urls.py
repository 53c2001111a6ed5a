"""Addresses of a project: the portal's pages, its JSON, and the member API."""

from django.urls import path

from brain import views
from brain.api import Brain, MemberQuestion, MemberRead, PortalRead, Rebuild
from brain.catalogue import READS

PORTAL_NAMES = {"status": "", "read": "/node"}  # where a read has another name there
LONG = ("resolve",)  # their question stands in the body

urlpatterns = [
    path("", views.projects, name="projects"),
    path("projects/<str:slug>/", views.project, name="project"),
    path("projects/<str:slug>/brain", views.state, name="state"),
    path("projects/<str:slug>/brain/manage", views.manage, name="manage"),
    path("projects/<str:slug>/brain/tree", views.tree, name="tree"),
    path("projects/<str:slug>/brain/read", views.read, name="read"),
    path("projects/<str:slug>/brain/broken", views.broken, name="broken"),
    *(
        path(
            f"api/projects/<str:reference>/brain{PORTAL_NAMES.get(name, f'/{name}')}",
            (Brain if name == "status" else PortalRead).as_view(read=read),
            name=f"api-{name}",
        )
        for name, read in READS.items()
    ),
    path("api/projects/<str:reference>/brain/rebuild", Rebuild.as_view(), name="api-rebuild"),
    *(
        path(
            f"api/member/v1/brain/{name}",
            (MemberQuestion if name in LONG else MemberRead).as_view(read=read),
            name=f"member-{name}",
        )
        for name, read in READS.items()
    ),
]
