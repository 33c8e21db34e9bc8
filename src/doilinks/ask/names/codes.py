"""The codes of problems, each with its meaning, its consequence and advice.

``docs/reference/messages.md`` has the same codes for readers.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from typing import Final, NamedTuple
from urllib.parse import urljoin

_PAGE: Final = "reference/messages"


class Code(NamedTuple):
    """The explanation of a code.

    :ivar short: the meaning, one sentence
    :ivar more: the consequence for readers or programs
    :ivar advice: the next step for the author
    """

    short: str
    more: str
    advice: str


CODES: Final = {
    "doi-not-found": Code(
        "The DOI system has no record of the name.",
        "A link to the name leads to an error page of doi.org.",
        "Compare the name with the work that you cite, and correct it. If the name is an example "
        "or is not registered yet, add it to check_ignore.",
    ),
    "doi-no-values": Code(
        "The name is registered, but its record is empty.",
        "A link to the name leads to an error page of doi.org.",
        "Tell the registrant, or add the name to check_ignore.",
    ),
    "doi-deleted": Code(
        "The registration agency has deleted the name.",
        "A link to the name leads to a page of the agency that says so.",
        "Give the name that the work has now, or add the name to check_ignore.",
    ),
    "doi-no-name": Code(
        "A place for a DOI name contains none.",
        "A link to doi.org, or a role or field for a name, leads nowhere. A handle resolves at "
        "doi.org too, but is no DOI name.",
        "Write the name. If the place is right, add its address at doi.org to check_ignore.",
    ),
    "doi-unknown": Code(
        "Whether the name resolves could not be checked.",
        "The service could not be asked, or its answer was not about the name. Nothing is known to "
        "be wrong with the name.",
        "Run the check again later.",
    ),
    "doi-stale-ignore": Code(
        "A name in check_ignore resolves after all, or all names of a family do.",
        "The entry hides nothing now, and would hide a fault later.",
        "Remove the name or the family from check_ignore.",
    ),
    "doi-text-target": Code(
        "The text of a link is one DOI, but the link leads to another one.",
        "Readers of the page and readers of its print look for two different works.",
        "Compare both names with the work that you cite, and correct the wrong one.",
    ),
    "doi-bare-target": Code(
        "The target of a link is a name alone, and there is no such file.",
        "Browsers take the name for a path, so the link is dead.",
        "Write the link of the name, or let doilinks fix --select doi-bare-target do it.",
    ),
    "doi-field": Code(
        "A field for a name contains more than a name.",
        "Programs that make a link of the field take all of it for the name, so the link is dead.",
        "Write the name alone, or let doilinks fix do it where it is clear. Put other names and "
        "words into other fields.",
    ),
    "doi-other-work": Code(
        "The text describes another work than the one that the name is registered for.",
        "Readers who follow the link find another work. The name may be mistyped, or copied from "
        "another reference.",
        "Compare the reference with the registered work, and correct the wrong one. If both are "
        "right, add the name to check_accept.",
    ),
    "doi-other-people": Code(
        "The text has the registered title, but none of the registered people.",
        "Readers credit the work to people who did not make it. Such references are often mixed up "
        "or made up.",
        "Take the people from the registered work. If the text is right, add the name to "
        "check_accept.",
    ),
    "doi-two-works": Code(
        "Two blocks with the same name describe different works.",
        "At least one of the references is wrong. The other place is in the message.",
        "Compare both references with the work, and correct the wrong name.",
    ),
    "doi-future-year": Code(
        "A reference gives a year in the future.",
        "No work of that year can be published. Such references are often mistyped or made up.",
        "Compare the year with that of the work, and correct it. If it is right, add the name to "
        "check_accept.",
    ),
    "doi-retracted": Code(
        "The work was retracted, withdrawn or removed.",
        "The work should not be relied on. The notice says why.",
        "Read the notice. If you cite the work on purpose, add the name to check_accept.",
    ),
    "doi-concern": Code(
        "An editor has published an expression of concern about the work.",
        "The work may be unreliable. The notice says why.",
        "Read the notice. If you cite the work on purpose, add the name to check_accept.",
    ),
    "doi-corrected": Code(
        "A correction of the work was published, or a retraction of a part of it.",
        "The work has an error that the notice describes.",
        "Nothing has to be done. Read the notice if you rely on details of the work.",
    ),
    "doi-newer": Code(
        "The name is that of a preprint which was published, or a badge shows an old version.",
        "The record of the work says so. Readers may expect the article, or the latest version.",
        "Cite the newer work if you mean it. If not, add the name to check_accept.",
    ),
    "doi-other-page": Code(
        "The text has the registered people and year, but another page or number of an article.",
        "It gives no title, so it may be another article in the same volume.",
        "Compare the page with that of the work. If both are right, add the name to check_accept.",
    ),
    "doi-other-title": Code(
        "The title in the text has another number, part or year than the registered one.",
        "The parts of a work, its errata and the years of a series have names of their own.",
        "Take the name of the part that you mean. If it is right, add the name to check_accept.",
    ),
    "doi-other-version": Code(
        "The text names another version of the software or data than the name stands for.",
        "Each version has a record. The people agree; the version, the year or the title does not.",
        "Take the name of the version that you mean. If all versions are meant, add the name to "
        "check_accept.",
    ),
    "doi-other-year": Code(
        "The text has the registered people, but another year.",
        "It gives no title, so it may be another work by the same people.",
        "Compare the year with that of the work. If both are right, add the name to check_accept.",
    ),
    "doi-two-names": Code(
        "Files of one project name different works as the project.",
        "Readers who follow the badge, and tools that read the metadata, cite different works.",
        "Give all files the name of all versions. If they differ on purpose, add the name to "
        "check_accept.",
    ),
    "doi-work-unknown": Code(
        "No agency said what a name stands for.",
        "The text around the name was not compared with anything.",
        "Run the check again later. If the agency has no record of the name, nothing has to be "
        "done.",
    ),
    "doi-stale-accept": Code(
        "A name in check_accept has no problem.",
        "The entry hides nothing now, and would hide a fault later.",
        "Remove the name from check_accept.",
    ),
    "doi-stale-comment": Code(
        "A comment doilinks: ignore silences nothing.",
        "Its line has no DOI, or nothing is wrong with its DOIs. It would hide a fault later.",
        "Remove the comment, or move it to the line of the name.",
    ),
    "doi-unknown-comment": Code(
        "A comment contains an instruction that doilinks does not know.",
        "The comment has no effect.",
        "Write doilinks: ignore, or remove the comment.",
    ),
    "doi-alias": Code(
        "The name stands for another name.",
        "Both names resolve. A shortDOI stands for another name, for example.",
        "Nothing has to be done. You can cite the other name.",
    ),
    "doi-kept": Code(
        "No server answered now, but the lock file says that the name was found.",
        "The name counts as found, because DOI names are persistent.",
        "Nothing has to be done. A later check asks again.",
    ),
    "doi-pruned": Code(
        "Names that no document contains were removed from the lock file.",
        "The check was run with --prune.",
        "Commit the lock file.",
    ),
    "doi-lockfile": Code(
        "The lock file could not be written.",
        "The result of the check is right, but its answers are not kept.",
        "Make the folder of the lock file writable, or set check_lockfile to another path.",
    ),
    "doi-fault": Code(
        "A fault of doilinks ended the check early.",
        "The report contains the answers that had arrived by then.",
        "Report the fault to the maintainers of doilinks.",
    ),
}


@cache
def address(code: str = "messages-of-the-check") -> str | None:
    """Return the address at which a code is documented; None if the package declares none.

    The base is ``Documentation`` of ``[project.urls]``, so that it is written in one place.
    """
    try:
        urls = metadata("doilinks").get_all("Project-URL") or []
    except PackageNotFoundError:  # the modules were copied, not installed
        return None
    named = dict(url.split(", ", 1) for url in urls)
    base: str | None = named.get("Documentation")
    if not base:
        return None
    ending = ".md" if base.endswith(".md") else ".html"  # the sources, or a site made of them
    return urljoin(base, f"{_PAGE}{ending}#{code}")
