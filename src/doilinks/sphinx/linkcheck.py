"""Sphinx's ``linkcheck``, in which the check of doilinks answers for links to a DOI.

So ``linkcheck`` and the check have the same result for a name: a name without values is broken,
``doi_check_ignore`` applies, and the publisher is never asked. ``linkcheck_ignore`` and the other
settings of Sphinx apply first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sphinx.builders.linkcheck import CheckExternalLinksBuilder
from sphinx.errors import ExtensionError

from ..core.doi import DOI, InvalidDOI
from ..core.found import Found
from ..core.link import relink
from ..core.listed import Listed
from ..core.options import Options
from ..core.printable import printable
from .options import options_of

if TYPE_CHECKING:
    from sphinx.builders.linkcheck import CheckResult

    from ..check import Resolution

__all__ = ["DoiLinkcheckBuilder"]

# This text is put before the address of a link that has an answer, so that Sphinx does not ask.
_ANSWERED: Final = "doi "

# The status of a link in Sphinx, and a message.
_Answer = tuple[str, str]


class DoiLinkcheckBuilder(CheckExternalLinksBuilder):
    """The builder ``linkcheck``. Without the extra ``check``, Sphinx itself asks the Handle API."""

    def finish(self) -> None:
        """Ask about the DOIs, then let Sphinx check all other links."""
        options = options_of(self.config)
        dois = {uri: doi for uri in self._asked() if (doi := _doi_at(uri, options))}
        self._answers = _answers(dois, options, Path(self.confdir))
        for uri, doi in dois.items():
            known = uri in self._answers
            ask = _ANSWERED + uri if known else doi.api_at(options.check_api)
            self.hyperlinks[ask] = self.hyperlinks.pop(uri)._replace(uri=ask)
        self.config.linkcheck_ignore = [*self.config.linkcheck_ignore, _ANSWERED]
        super().finish()

    def process_result(self, result: CheckResult) -> None:
        """Report one link."""
        uri = result.uri.removeprefix(_ANSWERED)
        if uri != result.uri:
            status, message = self._answers[uri]
            # The type of Sphinx is private. Its values are equal to strings.
            result = result._replace(uri=uri, status=status, message=message)  # type: ignore[arg-type]
        super().process_result(result)

    def _asked(self) -> list[str]:
        """The links that no setting of Sphinx excludes."""
        ignored = [re.compile(each) for each in self.config.linkcheck_ignore]
        excluded = [re.compile(each) for each in self.config.linkcheck_exclude_documents]
        return [
            uri
            for uri, link in self.hyperlinks.items()
            if not any(each.match(uri) for each in ignored)
            and not any(each.match(link.docname) for each in excluded)
        ]


def _doi_at(uri: str, options: Options) -> DOI | None:
    if uri.startswith(options.proxy):
        try:
            return DOI.parse(uri.removeprefix(options.proxy))
        except InvalidDOI:
            pass
    link = relink(uri, "", Options())
    return link.doi if link else None


def _answers(dois: Mapping[str, DOI], options: Options, root: Path) -> dict[str, _Answer]:
    """The answer for each link to a DOI; without the extra, only for the names to be ignored.

    :raises ExtensionError: for a damaged lock file
    """
    listed = Listed(options.check_ignore)
    if not dois:
        return {}
    try:
        from ..check import InvalidLockfile, check
    except ImportError:
        return {uri: ("ignored", _EXPECTED) for uri, doi in dois.items() if doi in listed}
    # Without doi_check, the user has not asked for a lock file in the project.
    kept = options.check_lockfile if options.check != "off" else ""
    # Do not ask about names in check_ignore that are in no document.
    entries = (entry for doi in dois.values() for entry in listed.entries_of(doi))
    ignored = tuple(dict.fromkeys(entries))
    given = options.but(check="error", check_lockfile=kept, check_ignore=ignored)
    try:
        report = check([Found(doi) for doi in dois.values()], given, root=root)
    except InvalidLockfile as error:
        raise ExtensionError(printable(str(error))) from error
    return {uri: _answer(report.resolutions[doi], options) for uri, doi in dois.items()}


_EXPECTED: Final = "in doi_check_ignore"


def _answer(known: Resolution, options: Options) -> _Answer:
    from ..check import Outcome, unresolved

    if known.outcome is Outcome.FOUND:
        return "working", ""
    if known.outcome is Outcome.UNKNOWN:
        status = "broken" if options.check_unknown == "error" else "ignored"
        return status, printable(f"could not tell: {known.reason}")
    if known.expected:
        return "ignored", _EXPECTED
    return "broken", unresolved(known, known.doi)
