"""`manage.py project add|build|check|list|remove`: projects and Brains, for whoever runs this machine."""

from __future__ import annotations

import json
from argparse import SUPPRESS
from typing import Any

from django.core.management.base import CommandParser

from brain import store
from brain.builds import check, jobs
from brain.errors import BuildFailed
from brain.management.bars import Bars
from brain.management.operating import add, build, project_json, remove
from members.access import every_project, project_of_operator
from members.errors import AccessDenied, InvalidProject
from members.management.operator import ERROR, OperatorCommand, Parser
from repositories.errors import RepositoryError

COUNTED = {
    "documents": "documents",
    "folders": "folders",
    "sections": "sections",
    "cards": "cards",
    "links": "links",
    "broken": "broken links",
    "brokenAnchors": "broken anchors",
    "leftOut": "left out",
    "problems": "problems",
}


class Command(OperatorCommand):
    help = "Add, build, check, list and remove projects."

    def add_arguments(self, parser: CommandParser) -> None:
        """The four verbs and their options."""
        common = Parser(add_help=False)
        common.add_argument("--json", action="store_true", help="print JSON")
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=Parser)
        new = verbs.add_parser("add", parents=[common], help="mirror a repository and turn its Brain on")
        new.add_argument("slug")
        new.add_argument("--repository", required=True, metavar="PATH_OR_URL")
        new.add_argument("--name", help="the project's name; the slug when left out")
        new.add_argument("--branch", help="the branch to follow; the repository's default when left out")
        built = verbs.add_parser("build", parents=[common], help="fetch the repository and build the Brain")
        built.add_argument("slug")
        built.add_argument("--whole", action="store_true", help="read every document again")
        built.add_argument("--no-fetch", action="store_true", help="build what the mirror has")
        proven = verbs.add_parser("check", parents=[common], help="compare the tree with a whole build")
        proven.add_argument("slug")
        for verb in (built, proven):
            verb.add_argument("--job", default="", help=SUPPRESS)  # as the worker calls it
        verbs.add_parser("list", parents=[common], help="list all projects")
        gone = verbs.add_parser("remove", parents=[common], help="remove a project, its Brain and its mirror")
        gone.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Do what the verb says; a refusal ends with a sentence and exit code 1."""
        try:
            told, said = getattr(self, f"_{options['verb']}")(options)
        except (AccessDenied, InvalidProject, RepositoryError, BuildFailed) as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": str(error)}))
            self.stderr.write(str(error))
            raise SystemExit(ERROR) from error
        self.stdout.write(json.dumps(told, ensure_ascii=False) if options["json"] else said)

    def _add(self, options: dict[str, Any]) -> tuple[Any, str]:
        with Bars(self.stderr, quiet=options["json"]) as bars:
            project = add(
                options["slug"],
                remote=options["repository"],
                name=options["name"] or "",
                branch=options["branch"] or "",
                progress=bars.fetch,
            )
        told = project_json(project)
        return told, f"{told['name']} is mirrored and follows {told['branch']}."

    def _build(self, options: dict[str, Any]) -> tuple[Any, str]:
        if options["job"]:
            jobs.confine()
            jobs.run_job(store.source_of(project_of_operator(options["slug"])), options["job"])
            return {}, ""
        project = project_of_operator(options["slug"])
        with Bars(self.stderr, quiet=options["json"]) as bars:
            report = build(project, fetch=not options["no_fetch"], whole=options["whole"], bars=bars)
        lines = [
            f"Build {report.number} of {project.slug}, {report.kind}, is ready at {report.commit[:12]}.",
            ", ".join(_counted(report.counts[name], words) for name, words in COUNTED.items()),
            ", ".join(f"{phase} {spent:.1f} s" for phase, spent in report.seconds.items()),
        ]
        told = {name: getattr(report, name) for name in ("kind", "commit", "number", "counts", "seconds")}
        return told, "\n".join(lines)

    def _check(self, options: dict[str, Any]) -> tuple[Any, str]:
        if options["job"]:
            jobs.confine()
        project = project_of_operator(options["slug"])
        source = store.source_of(project)
        if not source.commit:
            raise BuildFailed("brain-not-built", "There is no tree to check yet.")
        found = check(source)
        where = f"The tree of {project.slug} at {source.commit[:12]}"
        said = f"{where} is what a whole build gives."
        if found:
            said = "\n".join([f"{where} differs from a whole build, which is queued:", *found])
        return {"commit": source.commit, "differences": found}, said

    def _list(self, options: dict[str, Any]) -> tuple[Any, str]:  # noqa: ARG002
        told = [project_json(project) for project in every_project()]
        lines = [
            f"{one['slug']}  {one['state']}  {one['branch'] or '-'}  {(one['commit'] or '-')[:12]}"
            for one in told
        ]
        return told, "\n".join(
            lines or ["There is no project yet: manage.py project add SLUG --repository …"]
        )

    def _remove(self, options: dict[str, Any]) -> tuple[Any, str]:
        project = project_of_operator(options["slug"])
        remove(project)
        return {"removed": options["slug"]}, f"{project.name} and its Brain are removed."


def _counted(count: int, words: str) -> str:
    one = words.removesuffix("s") if count == 1 and words != "left out" else words
    return f"{count:,} {one}"
