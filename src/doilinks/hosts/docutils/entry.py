"""reStructuredText with DOIs, for ``docutils --parser=doilinks.docutils``."""

from __future__ import annotations

import optparse
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import islice
from typing import Any, ClassVar, Final, Literal

from docutils import nodes
from docutils.frontend import Values
from docutils.parsers import rst
from docutils.parsers.rst import Parser as RstParser
from docutils.parsers.rst import directives, roles
from docutils.parsers.rst.states import Inliner
from docutils.transforms import Transform
from docutils.transforms.universal import SmartQuotes
from docutils.utils import unescape

from ...core.arxiv import paper_in_role
from ...core.doi import InvalidDOI, parse_parts
from ...core.found import Found
from ...core.link import Link, link_to, link_to_paper, other_doi
from ...core.options import DOCUTILS, NO_CHECK, SPHINX, InvalidOption, Options, kind_of
from ...core.printable import format_value
from .cite import ROLES, DoiList, ShowWorks, with_typography
from .find import DoiInliner
from .link import KeepNames, build
from .walk import Linker

# --------------------------------------------------------------------------------------------------
# The options as docutils settings: ``--doi-display``, ``doi_display`` in ``docutils.conf``.

# The options are kept in this attribute of the document, because docutils has no place for them.
_OPTIONS: Final = "doi_options"


def _validate(setting: str, value: Any, *_: Any, **where: Any) -> Any:
    """Read one value. It comes from a file if docutils gives its place, otherwise from a flag."""
    name = setting.removeprefix(SPHINX.prefix)
    try:
        read = getattr(Options.read({name: value}, SPHINX if where else DOCUTILS), name)
    except InvalidOption as error:
        raise ValueError(str(error)) from None
    return list(read) if isinstance(read, tuple) else read


def _spec() -> tuple[tuple[str, list[str], dict[str, Any]], ...]:
    rows = []
    for field in fields(Options):
        kind = kind_of(field)
        row: dict[str, Any] = {"dest": SPHINX(field.name), "validator": _validate}
        row["metavar"] = f"<{'|'.join(kind.choices) if kind.choices else field.name}>"
        row["default"] = field.default
        if isinstance(field.default, tuple):
            row |= {"action": "append", "default": None}
        default = "" if isinstance(field.default, tuple) else f' (default "{field.default}")'
        text = field.metadata["help"].replace("``", "") + default
        text += f"; {NO_CHECK}" if field.name == "check" else ""
        rows.append((text, [DOCUTILS(field.name)], row))
    return tuple(rows)


SETTINGS_SPEC: Final = ("DOI Links", None, _spec())


def options_of(settings: Values | optparse.Values) -> Options:
    """Read the options in a document's settings. An option that is not set has its default."""
    given = SPHINX.named(vars(settings))
    values = {name: value for name, value in given.items() if value is not None}
    return Options.read(values, SPHINX)


def read_options(document: nodes.document) -> Options:
    """Read the options as :func:`options_of` does; report wrong values, and use defaults.

    Misspelt settings are reported too, because docutils keeps unknown settings without a message.
    Each problem is reported once for a document, at the first call, from parser or transform.
    """
    known: Options | None = getattr(document, _OPTIONS, None)
    if known is not None:
        return known
    problems = SPHINX.slips(vars(document.settings))
    options = Options()
    try:
        options = options_of(document.settings)
    except InvalidOption as error:
        problems += error.problems
    for problem in problems:
        document += document.reporter.severe(problem)
    setattr(document, _OPTIONS, options)
    return options


# --------------------------------------------------------------------------------------------------
# The role ``:doi:``, with or without a title that the author gives.

RoleFunction = Callable[..., tuple[list[nodes.Node], list[nodes.system_message]]]

# The target after a title begins at a "<" that is not escaped. The name may also contain a "<", so
# the target begins at the first "<" after which the text is a DOI. docutils takes the last "<".
_TARGET: Final = re.compile(r"(?<!\x00)<(?=\s*(?:10|doi|dx|urn|info|https?:|//))", re.IGNORECASE)
_TITLED: Final = re.compile(r"\s<([^<>]*)>\Z")  # ``title <target>``, as in the roles of docutils
_TRIES: Final = 8


def make_role(
    options_for: Callable[[Any], Options], kind: Literal["doi", "arxiv"] = "doi"
) -> RoleFunction:
    """Build a role's function; ``options_for`` gives the options of a document's settings."""

    def role(
        name: str,
        rawtext: str,
        text: str,
        lineno: int,
        inliner: Inliner,
        options: Mapping[str, Any] | None = None,
        content: Sequence[str] = (),  # noqa: ARG001  docutils' signature
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            chosen = options_for(inliner.document.settings)
        except InvalidOption:  # the parser or the host has already reported it
            chosen = Options()
        try:
            title, link = _paper_link(text, chosen) if kind == "arxiv" else _doi_link(text, chosen)
        except ValueError as error:
            message = inliner.reporter.error(f"role {name!r}: {error}", line=lineno)
            return [inliner.problematic(rawtext, rawtext, message)], [message]
        link = link._replace(text=title) if title else link
        other = other_doi(title, link.doi) if title else None
        found = Found(link.doi, form="role", written=rawtext, other=other)
        # Classes of a role that the document derives from this one.
        derived = [name for key in ("class", "classes") for name in (options or {}).get(key, ())]
        node = build(link, chosen, found, derived)
        return [node], []

    return role


def _doi_link(text: str, options: Options) -> tuple[str | None, Link]:
    written = unescape(text)
    whole = None
    with suppress(InvalidDOI):
        whole = parse_parts(written)
    for found in islice(_TARGET.finditer(text), _TRIES) if text.endswith(">") else ():
        title = text[: found.start()]
        try:
            doi, tail = parse_parts(unescape(text[found.end() : -1]))
        except InvalidDOI:
            continue
        # Without a space before it, "<" may be a character of the name itself.
        if whole is None or not title or title[-1].isspace():
            return unescape(title).strip() or None, link_to(doi, options, written, tail)
    if whole is None and (titled := _TITLED.search(text)):
        parse_parts(unescape(titled[1]))  # raises an error whose message names only the target
    doi, tail = whole or parse_parts(written)
    return None, link_to(doi, options, written, tail)


def _paper_link(text: str, options: Options) -> tuple[str, Link]:
    read = paper_in_role(unescape(text))
    if read is None:
        raise ValueError(f"{format_value(unescape(text))}: not an identifier of arXiv")
    title, paper = read
    return title, link_to_paper(paper, options, unescape(text))


doi_role = make_role(options_of)
arxiv_role = make_role(options_of, "arxiv")
ROLE_OF: Final[Mapping[str, RoleFunction]] = {"doi": doi_role, "arxiv": arxiv_role, **ROLES}


class DoiLinks(Transform):
    """Link the DOIs of a document, whatever parser built it.

    Every DOI is listed in ``document.dois``, a list of :class:`doilinks.Found`.
    """

    # After the transforms that resolve targets (up to 660), before smart quotes (855).
    default_priority: ClassVar[int] = 740

    def apply(self, **_: Any) -> None:
        """Link the DOIs in the tree."""
        linker = Linker(read_options(self.document))
        linker.link(self.document)
        # docutils has no place for the results of an extension.
        self.document.dois = linker.dois  # type: ignore[attr-defined]
        if getattr(self.document.settings, "smart_quotes", False):
            texts = {node: node.astext() for node in linker.links.canonical}
            self.document.transformer.add_transform(KeepNames, texts=texts)
            with_typography(linker.cites, self.document, SmartQuotes)
        self.document.transformer.add_transform(
            ShowWorks,
            options=read_options(self.document),
            cites=bool(linker.cites),
            as_typed=linker.typed,
        )


class Parser(RstParser):
    """The reStructuredText parser of docutils, which also links DOIs.

    Options are settings, ``doi_display`` and the others.
    """

    supported: ClassVar[tuple[str, ...]] = ("doilinks",)
    settings_spec = (*RstParser.settings_spec, *SETTINGS_SPEC)
    config_section = "doilinks parser"
    config_section_dependencies = ("parsers", "restructuredtext parser")

    def __init__(self, rfc2822: bool = False, inliner: Any = None) -> None:
        super().__init__(rfc2822, inliner or DoiInliner())

    def get_transforms(self) -> list[type[Transform]]:
        """Return the transforms of reStructuredText, and the transforms that link."""
        return [*super().get_transforms(), DoiLinks]

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse ``inputstring`` into ``document``."""
        options = read_options(document)
        # The message goes to the terminal and not into the document, because no observer is
        # attached yet.
        if options.check != "off":
            document.reporter.warning(f"{SPHINX('check')}: {NO_CHECK}")
        if isinstance(self.inliner, DoiInliner):
            self.inliner.options = options
        # They belong to the process, as docutils keeps them. A role of the project wins over these.
        for name, role in ROLE_OF.items():
            roles.register_canonical_role(name, role)  # type: ignore[arg-type]  # stubs: references only
        vars(directives)["_directives"].setdefault("doi-list", DoiList)
        super().parse(inputstring, document)


# --------------------------------------------------------------------------------------------------
# reStructuredText with DOIs in a program that chooses the parser of docutils itself.
#
# Pelican and Nikola give docutils the name ``restructuredtext`` and no parser object. docutils then
# takes the class ``Parser`` of its module, which is replaced for the process.


def link_everywhere(**options: Any) -> None:
    """Link the DOIs of every reStructuredText that this process reads from now on.

    Call this in the configuration file of a program that is a Python module, such as Nikola's
    ``conf.py``.

    :param options: the options of doilinks, without a prefix
    :raises SystemExit: with a message that names each unknown option and each wrong value; after
        any other exception, a program such as Nikola prints a traceback of its configuration
    """
    try:
        use_parser(Options.read(options))
    except InvalidOption as error:
        raise SystemExit(f"doilinks: {error}") from None


def use_parser(options: Options, *transforms: type[Transform]) -> None:
    """Make docutils' parser one that links, with these defaults; its own settings still win."""

    class ParserWithOptions(Parser):
        settings_default_overrides = {  # noqa: RUF012  docutils' own attribute
            SPHINX(name): list(value) if isinstance(value, tuple) else value
            for name, value in vars(options).items()
            if name in Options.NAMES
        }

        def get_transforms(self) -> list[type[Transform]]:
            return [*super().get_transforms(), *transforms]

    rst.Parser = ParserWithOptions  # type: ignore[misc]  # see above
