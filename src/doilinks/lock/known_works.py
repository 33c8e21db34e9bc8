"""The works that the lock file of a project keeps, for hosts that show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ..core.doi import DOI
from ..core.found import Listed
from ..core.nameless import BibKey, WorkId
from ..core.options import Options, nearest
from ..core.printable import printable
from ..record.language import ENGLISH, Language, language_of
from ..record.words import classes_of, hover
from ..record.work import Work
from ..shared.project import in_messages, lockfile_of
from .bib_files import BibFiles, bib_files_of, stamp_of
from .entries import InvalidLockfile
from .lockfile import Lockfile


class OnHover(NamedTuple):
    """The hover text of a link to a work, and its classes."""

    text: str
    classes: tuple[str, ...]  # of the link, for a theme


class KnownWorks:
    """The works of one lock file. It is read when the first work is asked for, and then once.

    A host makes a new one for each build.
    """

    def __init__(
        self, file: Path | None, options: Options | None = None, language: Language = ENGLISH
    ) -> None:
        self._file, self._options, self.language = file, options or Options(), language
        self.name = in_messages(file)
        self._works: dict[WorkId, Work | None] = {}
        self._hovers: dict[WorkId, OnHover | None] = {}

    @classmethod
    def of(cls, options: Options, root: Path, language: object = "") -> KnownWorks:
        """Return the works of a project."""
        return cls(lockfile_of(options, root), options, language_of(language))

    @staticmethod
    def stamp(options: Options, root: Path) -> tuple[int, ...]:
        """Return a stamp that changes when the lock file does, for hosts without a build event.

        The parameters are those of :meth:`of`.
        """
        stamp = stamp_of(lockfile_of(options, root))
        return (*stamp, *(number for each in options.cite_bib for number in stamp_of(each)))

    def work(self, doi: WorkId) -> Work | None:
        """Return the work that a DOI name stands for; None if it is not known."""
        if doi not in self._works:
            self._works[doi] = self._read(doi)
        return self._works[doi]

    def on_hover(self, doi: WorkId) -> OnHover | None:
        """Return the hover text and classes of a link to a name; None if the work is not known."""
        if doi not in self._hovers:
            # The work is not kept: of most, a page shows no more, and thousands cost a build a
            # further collection of garbage.
            work = self._works.get(doi) or self._read(doi)
            self._hovers[doi] = (
                OnHover(hover(work, self.language), classes_of(work)) if work else None
            )
        return self._hovers[doi]

    def _read(self, doi: WorkId) -> Work | None:
        """Read the work of a DOI name, or of the name that it stands for."""
        work = self.lockfile.work(doi) if isinstance(doi, DOI) else None
        return work or self.bib_files.work(doi)

    def same(self, doi: WorkId) -> WorkId:
        """Return the name that a DOI name stands for if its work is known, or the name itself."""
        alias = self.lockfile.alias(doi) if isinstance(doi, DOI) else None
        return alias if alias and self.work(alias) else doi

    def names(self) -> Iterator[WorkId]:
        """Yield the names of all works, those of the lock file first."""
        yield from self.lockfile.names()
        yield from self.bib_files.records

    @cached_property
    def bib_files(self) -> BibFiles:
        """The works that are cited by key."""
        return bib_files_of(self._options.cite_bib)

    @property
    def has_file(self) -> bool:
        """Whether the lock file exists."""
        return self._file is not None and self._file.exists()

    @property
    def trouble(self) -> str:
        """Why no work is known, if the lock file is damaged: a message; otherwise ``""``."""
        return self._opened[1]

    @property
    def lockfile(self) -> Lockfile:
        """The lock file; an empty one if it is damaged."""
        return self._opened[0]

    @cached_property
    def _opened(self) -> tuple[Lockfile, str]:
        try:
            return Lockfile(self._file), ""
        except InvalidLockfile as error:
            return Lockfile(None), str(error)

    def unknown(self, names: Iterable[WorkId]) -> Iterator[tuple[WorkId, str]]:
        """Yield each name whose work is not known, once, with a message."""
        missing = [doi for doi in dict.fromkeys(names) if self.work(doi) is None]
        if not missing:
            return
        options = self._options
        lists = [Listed(options.check_ignore), Listed(options.check_accept)]
        folder = in_messages(self._file.parent) if self._file else "."
        fetch = "run doilinks works --fetch" + (f" in {folder}" if folder != "." else "")
        is_told = False
        for doi in missing:
            if isinstance(doi, BibKey):
                meant = nearest(doi.key, self.bib_files.names)
                files = ", ".join(in_messages(Path(each)) for each in options.cite_bib)
                hint = f" (did you mean @{printable(meant)}?)" if meant else ": correct or add it"
                yield doi, f"there is no work {printable(doi.folded)} in {files}{hint}"
                continue
            if any(doi in each for each in lists):
                continue
            if not self.has_file:
                words = f"no work is known, as there is no {self.name or 'lock file'}: {fetch}"
                if not is_told:
                    yield doi, words
                is_told = True
                continue
            words = f"the work of {doi.uri} is not in {self.name}: {fetch}"
            if doi in self.lockfile:
                words += f"; if no agency knows it, list it in {options.spelled('check_accept')}"
            elif self.lockfile.has_works:  # works were fetched
                words += ", or correct the name if it does not exist"
            yield doi, words
