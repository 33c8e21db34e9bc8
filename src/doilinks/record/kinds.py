"""The kinds of works and of notices: the one table of the words and types by which they are known.

A row of :data:`LABELS` is a label that publishers write on a title, of :data:`ABOUT` a word for a
work about another work, of :data:`UPDATES` a type of update; :data:`CSL_TYPES` are types of works.
This table alone decides what is a notice, a review or a preprint, so that the record, the
comparison, the search and a citation agree about one text.

All words are heuristics. Types of updates are those of Crossref's deposit schema, types of works
those of CSL 1.0.2, Crossref's REST API and DataCite 4.6.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple
from unicodedata import normalize

from ..core.doi import DOI

# --------------------------------------------------------------------------------------------------
# Labels on titles.


class Label(NamedTuple):
    """Words that publishers write at the beginning of a title.

    :ivar kind: ``retracted``, ``partly`` or ``concern`` on the work itself; ``retraction`` or
        ``correction`` on a notice about it
    :ivar words: a pattern for them, without regard to case
    :ivar example: a title with the label, in the language of the words
    :ivar unlike: a similar title that has no label
    :ivar stem: a pattern for the beginning of a word by which a text speaks of the same
    :ivar at_end: a pattern for words at the end of a title, in brackets or after a dash or colon;
        what may be an ordinary word there, such as "withdrawal", does not count
    """

    kind: str
    words: str
    example: str
    unlike: str
    stem: str
    at_end: str = ""


# In English, French, Spanish and Portuguese, German, Italian, Dutch, Polish, Turkish, Russian,
# Chinese and Japanese, Korean.
LABELS: Final = tuple(Label(*row) for row in (
    ("partly", r"partial(?:ly)? (?:retracted|retraction)(?: (?:article|paper))?",
     "Partial retraction: On mice", "Partial pressure: on mice", "partial(?:ly)? retract"),
    ("retracted", (r"(?:(?:article|paper|temporarily) )?(?:retracted|withdrawn|removed)"
                   r"(?: (?:article|paper|chapter|manuscript))?|temporary removal"),
     "RETRACTED ARTICLE: On mice", "Removed from the land: on mice", "retracted|withdrawn",
     "(?:retracted|withdrawn)(?: (?:article|paper|chapter))?"),
    ("retracted", r"(?:art[ií](?:culo|go|cle) )?(?:retrac?tado|r[ée]tract[ée]|retir[ée])",
     "Artículo retractado: Los ratones", "Retirada: los ratones", "retrac?tad|r[ée]tract[ée]"),
    ("retracted", "zurückgezogen", "Zurückgezogen: Mäuse", "Rückzug: Mäuse", "zur[üu]ckgezogen"),
    ("retracted", "ritirato", "Ritirato: I topi", "Ritiro: i topi", "ritirato"),
    ("retracted", "geri çekildi", "Geri çekildi: Fareler", "Geri: fareler", "geri [çc]ekil"),
    ("retracted", "отозвана", "Отозвана: О мышах", "Отзыв: о мышах", "отозвана"),
    ("retracted", "已撤稿", "已撤稿：小鼠", "已知：小鼠", "撤稿"),
    ("concern", "expression of concern",
     "Expression of Concern: On mice", "Expression of genes: on mice", "concern"),
    ("retraction", r"retraction(?: and replacement)?|withdrawal|removal",
     "Retraction: On mice", "Retraction of the lens in mice", "retract|withdraw|removal",
     "retraction(?: (?:note|notice|of .*))?"),
    ("retraction", r"r[ée]tractation|retrait",
     "Rétractation : Les souris", "Retraites : les souris", "r[ée]tract|retrait"),
    ("retraction", r"retractaci[óo]n|retra(?:c?ta)?[çc][ãa]o",
     "Retractación: Los ratones", "Reacción: los ratones", "retractaci|retra(?:c?ta)?[çc][ãa]o"),
    ("retraction", "retraktion|rücknahme", "Retraktion: Mäuse", "Rücknahmen: Mäuse",
     "retraktion|r[üu]cknahme"),
    ("retraction", "ritrattazione", "Ritrattazione: I topi", "Ritratto: i topi", "ritrattazione"),
    ("retraction", "ретракция", "Ретракция: О мышах", "Реакция: о мышах", "ретракци"),
    ("retraction", "撤稿(?:声明)?|(?:論文)?撤回", "撤稿声明: 小鼠", "撤退: 小鼠", "撤稿|撤回"),
    ("retraction", "철회", "철회: 생쥐", "회의: 생쥐", "철회"),
    ("correction", ("corrections?|corrigend(?:um|a)|errat(?:um|a)(?: corrige)?|addendum"
                    "|clarification|expression of concern"),
     "Erratum to: On mice", "Correction for guessing: mice", "correct|corrig|errat|addend|clarif",
     "corrigend(?:um|a)|errat(?:um|a)|correction notice"),
    ("correction", "publisher[’']?s note", "Publisher's Note: “On mice”",
     "Publisher: notes on mice", "publisher[’']?s"),
    ("correction", "rectificatif|rectificatie",
     "Rectificatif : Les souris", "Rectification : les souris", "rectificati[fe]"),
    ("correction", r"correcci[óo]n|fe de erratas|corre[çc][ãa]o",
     "Corrección: Los ratones", "Corrección de los ratones", "correcci|corre[çc][ãa]o"),
    ("correction", "berichtigung|korrektur", "Berichtigung: Mäuse", "Korrekturen: Mäuse",
     "berichtigung|korrektur"),
    ("correction", "correzione", "Correzione: I topi", "Correzione dei topi", "correzione"),
    ("correction", "sprostowanie", "Sprostowanie: Myszy", "Sprostowania: Myszy", "sprostowanie"),
    ("correction", "düzeltme", "Düzeltme: Fareler", "Düzeltmeler: fareler", "d[üu]zeltme"),
    ("correction", "исправление", "Исправление: О мышах", "Исправления: о мышах", "исправлени"),
    ("correction", "更正|訂正", "訂正: 小鼠", "訂正の小鼠", "更正|訂正"),
    ("correction", "정정", "정정: 생쥐", "정정된 생쥐", "정정"),
))  # fmt: skip


def words_of(kind: str, *, at_end: bool = False) -> str:
    """Return a pattern for the labels of a kind at the beginning or the end of a title."""
    labels = [each for each in LABELS if each.kind == kind]
    words = (each.at_end if at_end else each.words for each in labels)
    return f"(?P<{kind}>{'|'.join(filter(None, words))})"


# --------------------------------------------------------------------------------------------------
# Words for what is about another work, or around it.


class About(NamedTuple):
    """A word for a work that is about another work.

    :ivar stem: a pattern for the beginning of the word
    :ivar example: the title of such a work
    :ivar unlike: an ordinary title with a similar word
    """

    stem: str
    example: str
    unlike: str


_STEMS: Final = [each.stem for each in LABELS if each.kind not in ("partly", "retracted")]
# Texts are compared in compatibility decomposition, in which Hangul has other characters.
_NOTICES: Final = "|".join(dict.fromkeys([*_STEMS, *(normalize("NFKD", each) for each in _STEMS)]))
REVIEWS: Final = "review|rezens|rese[nñ]|recen[sz]i|compte|besprech"
# Where they stand before the title of a work, what a text describes is not that work.
ABOUT: Final = tuple(About(*row) for row in (
    ("expression", "Expression of concern: On mice", "Express mice"),
    ("comment(?!ary)", "Comment on “On mice”", "Commentary: On mice"),  # a kind of article
    (r"repl(?:y|ies)\b", "Reply to “On mice”", "Replicated mice"),
    ("respon", "Response to “On mice”", "Resonance of mice"),
    ("rejoinder", "Rejoinder: On mice", "Rejoining mice"),
    ("discussi", "Discussion of “On mice”", "Discs of mice"),
    (REVIEWS, "Review of “On mice”", "Revised mice"),
    ("reprint|republish", "Reprint of: On mice", "Representing mice"),
))  # fmt: skip
# These too, in the title of a work that the text does not have.
AROUND: Final = tuple(About(*row) for row in (
    ("recommend|evaluat", "Recommendation of: On mice", "Valued mice"),
    ("editor|letter|note|remark|notice", "Editor's note: On mice", "Knotted mice"),
    ("summar|abstract", "Summary of “On mice”", "Summer mice"),
    ("prefa|forewor|matter|contents|issu", "In this issue: On mice", "Tissue of mice"),
    ("suppl|support|data|code", "Data from: On mice", "Dates of mice"),
    (r"by\b|from\b", "On mice. By A. Berg", "Bytes of mice"),
))  # fmt: skip
IS_ABOUT: Final = "|".join([_NOTICES, *(each.stem for each in ABOUT)])
IS_AROUND: Final = "|".join([IS_ABOUT, *(each.stem for each in AROUND)])
# Anywhere in a text that speaks of a notice or a comment.
IN_TEXT: Final = f"{_NOTICES}|comment|notice"

# --------------------------------------------------------------------------------------------------
# Words by which a text says what kind of work it cites.
#
# By the type in CSL: words of references to such a work, without regard to case.

_DEGREE: Final = (
    r"(?:ph\.? ?d|d\.? ?phil|m\.? ?sc|master(?:[’']?s)?|bachelor(?:[’']?s)?|doctoral|diploma)"
)
CITED_AS: Final = {type_: About(*row) for type_, *row in (
    ("review", r"[\[(](?:book )?review\b|\bbook review\b|buchbesprechung|书评|書評",
     "Berg, A. Names of lakes [Book review]. Lakes 3, 4.", "Berg, A. A review of lakes. Lakes 3."),
    ("thesis", (rf"\b{_DEGREE}\.? (?:degree |research )?(?:thesis|dissertation)\b"
                r"|\b(?:thesis|dissertation) ?[,;.)\]]|doktorarbeit|diplomarbeit|th[eè]se de"
                r"|tesi(?:s doctoral| di)|学位论文"),
     "Berg, A. Names. PhD thesis, Lund, 2001.", "Berg, A. Names in theses. Lakes 3, 4."),
    ("dataset", (r"[\[(][^][()]{0,30}\bdata ?(?:set|base)s?[\])]|\bpangaea\b"
                 r"|\bdata ?sets?[.,]? (?:\S{1,40}[.,]? ?){0,3}\Z"),
     "Berg, A. Names [Data set]. Zenodo, 2001.", "Berg, A. A dataset of names. Lakes 3, pp. 4-9."),
    ("software", r"[\[(][^][()]{0,30}\b(?:software|code|program|package|app)[\])]",
     "Berg, A. Names [Computer software]. Lund, 2001.", "Berg, A. Software for names. Lakes 3."),
    ("book", (r"(?<!in )\bpress\b|\bverlag\b|\bpublish(?:ers?|ing)\b(?!:)"
              r"|\bbooks\b(?=[,.;)]| \d|\Z)|\bisbn\b|\bauflage\b"
              r"|\b\d(?:st|nd|rd|th) ed(?:n|ition)?\b|\b[ée]ditions?\b"),
     "Berg, A. Names. Lund University Press, 2001.", "Berg, A. Names under pressure. Lakes 3."),
)}  # fmt: skip
# A title of these words alone says nothing of a work.
GENERAL: Final = (
    "introduction introductory preface foreword prologue epilogue afterword editorial editor "
    "editors letter letters conclusion conclusions summary abstract abstracts discussion comment "
    "comments commentary reply response review reviews book news note notes contents index "
    "appendix overview background acknowledgements acknowledgments obituary announcement "
    "correspondence perspective perspectives remarks general preliminary concluding final opening "
    "closing guest special issue chapter section welcome methods materials results einleitung "
    "einführung vorwort nachwort geleitwort zusammenfassung schluss conclusión conclusiones "
    "prefacio introducción prólogo éditorial avant propos prefazione introduzione conclusioni "
    "prefácio introdução inleiding voorwoord wstęp przedmowa введение предисловие "
    "前言 序言 引言 はじめに"
)

# --------------------------------------------------------------------------------------------------
# Types of updates and of works.


class Status(StrEnum):
    """The status of a work, or the kind of notice that it is."""

    NONE = ""
    RETRACTED = "retracted"
    CONCERN = "concern"
    CORRECTED = "corrected"
    RETRACTION_NOTICE = "retraction-notice"
    CORRECTION_NOTICE = "correction-notice"

    @property
    def is_notice(self) -> bool:
        """The work is a notice about another work."""
        return self in (Status.RETRACTION_NOTICE, Status.CORRECTION_NOTICE)


class Update(NamedTuple):
    """A type of update, by the stem that it begins with.

    :ivar status: of a work with a notice of this type
    :ivar became: a word for the status of the work; ``""``: that of the status itself
    """

    stem: str
    status: Status
    became: str = ""


# The first stem that begins a type decides. New versions and editions are not notices.
UPDATES: Final = tuple(Update(*row) for row in (
    ("partial", Status.CORRECTED, "retracted in part"),  # the rest of the work stands
    ("retract", Status.RETRACTED),
    ("withdraw", Status.RETRACTED, "withdrawn"),
    ("remov", Status.RETRACTED, "removed"),
    ("expression", Status.CONCERN),
    ("correct", Status.CORRECTED),
    ("corrig", Status.CORRECTED),
    ("errat", Status.CORRECTED),
    ("clarif", Status.CORRECTED),
    ("addend", Status.CORRECTED),
    ("publisher", Status.CORRECTED),
))  # fmt: skip


def update_of(kind: str) -> Update | None:
    """Return the row for a type of update, or None."""
    return next((each for each in UPDATES if kind.startswith(each.stem)), None)


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice about a work.

    :ivar kind: Crossref's word for it, with hyphens: ``retraction``, ``expression-of-concern``
    :ivar date: year, month and day as far as they are known: ``2010-02-06``
    :ivar doi: the DOI of the notice
    """

    kind: str
    date: str = ""
    doi: DOI | None = None

    @property
    def status(self) -> Status:
        """The status that the notice gives to the work."""
        update = update_of(self.kind)
        return update.status if update else Status.NONE


# The types of CSL with those of agencies that mean the same.
CSL_TYPES: Final = {
    "article": "preprint posted-content",
    "article-journal": "journal-article data-paper",
    "book": "monograph edited-book reference-book book-set book-series proceedings",
    "chapter": "book-chapter book-section book-part book-track reference-entry",
    "dataset": "database",
    "graphic": "image",
    "motion_picture": "audiovisual film",
    "paper-conference": "proceedings-article conference-paper conference-proceeding",
    "periodical": "journal journal-issue journal-volume",
    "report": "report-component report-series output-management-plan",
    "review": "peer-review",
    "software": "computational-notebook",
    "song": "sound",
    "speech": "presentation poster",
    "thesis": "dissertation",
    "webpage": "website",
}
_OTHERS: Final = (
    "article-magazine", "article-newspaper", "collection", "entry", "entry-dictionary",
    "entry-encyclopedia", "figure", "manuscript", "map", "patent", "post-weblog", "standard",
)  # fmt: skip
_TYPE_OF: Final = {each: each for each in (*CSL_TYPES, *_OTHERS)} | {
    each: name for name, others in CSL_TYPES.items() for each in others.split()
}
CAPITAL: Final = re.compile("(?<=[a-z])(?=[A-Z])")  # where a word begins in JournalArticle

PREPRINTS: Final = frozenset({"posted-content", "preprint", "manuscript"})  # as registered
# "article" is a preprint in CSL and an article elsewhere; DataCite's "Text" says no more.
# Where preprints are, beside what a record itself says.
SERVERS: Final = (
    r"\b\w{2,20}xiv\b|\bpre-?print|\bssrn\b|\bresearch square\b|\bauthorea\b|\begusphere\b"
    r"|\bess open archive|\bqeios\b|(?-i:\bDiscuss(?:ions?)?\b(?! of))"
)
PERHAPS_PREPRINTS: Final = PREPRINTS | {"article", "text"}
ARTICLES: Final = frozenset(("article-journal", "article-magazine", "article-newspaper", "review"))
PUBLISHED: Final = frozenset({"article-journal", "paper-conference", "chapter", "book"})
# In no volume of a journal.
UNPLACED: Final = frozenset({"book", "dataset", "software", "thesis", "report", "standard"})
VERSIONED: Final = frozenset({"software", "dataset"})
# What is no work of its own, or is about another one, as Crossref spells it.
NO_WORK: Final = frozenset(str.split(
    "journal journal-issue journal-volume component peer-review grant proceedings-series"
    " report-series book-series book-set report-component review review-book"
))  # fmt: skip


def csl_type(registered: str) -> str:
    """Return the type of CSL for a type as an agency spells it."""
    folded = CAPITAL.sub("-", registered).lower().replace(" ", "-")
    return _TYPE_OF.get(folded, "document")
