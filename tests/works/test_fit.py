"""Which of the works that a search has found a text describes: one, several or none."""

from itertools import zip_longest
from pathlib import Path

import pytest

from doilinks import DOI
from doilinks.record.fitting import fitting
from doilinks.record.work import Work

from ..tools.fixtures import dotted


def work(title, *families, year=2006, **more):
    people = [{"family": family, "given": "A."} for family in families]
    return Work.of({"title": title, "author": people, "issued": {"date-parts": [[year]]}, **more})


ARTICLE = {"type": "journal-article", "container-title": "Journal of Lakes", "volume": "12",
           "page": "44-61"}  # fmt: skip
PREPRINT = {"type": "posted-content", "publisher": "bioRxiv"}
TITLE = "Tidal locking of small lakes by migrating herons"
TEXT = f"Overgaard, A. (2006). {TITLE}. Journal of Lakes 12, 44-61."


def names(text, *works):
    fit = fitting(text, [(DOI(f"10.1000/{n}"), each) for n, each in enumerate(works)])
    return "".join(doi.suffix for doi, _ in fit.works), fit.sure


@pytest.mark.parametrize(
    ("text", "works", "expected"),
    [
        # One work, and works about it or around it.
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT, [work(f"Erratum: {TITLE}", "Overgaard", **ARTICLE)], ("", False)),
        (TEXT, [work(f"Review of {TITLE}", "Overgaard", **ARTICLE)], ("", False)),
        (TEXT, [work(f"Comment on “{TITLE}”", "Overgaard", **ARTICLE)], ("", False)),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE | {"type": "peer-review"})], ("", False)),
        (TEXT, [work("Journal of Lakes", type="journal-issue", volume="12")], ("", False)),
        (f"Erratum: {TEXT}", [work(f"Erratum: {TITLE}", "Overgaard", **ARTICLE)], ("", False)),
        # The text describes what is about the work that was found, and is not that work.
        *((TEXT.replace(TITLE, text.format(TITLE)), [work(TITLE, "Overgaard", **ARTICLE)], ("", False))
          for text in ("Erratum to: {}", "Corrigendum to “{}”", "Author Correction: {}",
                       "Comment on “{}”", "Retraction notice to “{}”", "Expression of concern: {}")),
        (TEXT.replace(TITLE, f"{TITLE}. With a comment"), [work(TITLE, "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT.replace(TITLE, f"Commentary: {TITLE}"), [work(TITLE, "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT, [work(f"{TITLE} (with Discussion)", "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT, [work(f"{TITLE} (With Comments and a Rejoinder by the Author)", "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT.replace(TITLE, f"{TITLE}. Erratum to: {TITLE}"), [work(TITLE, "Overgaard", **ARTICLE)], ("", False)),
        (f"{TEXT} Erratum: 13, 5.", [work(TITLE, "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE), work(f"Corrigendum to “{TITLE}”", "Overgaard",
                                                          **ARTICLE)], ("0", True)),
        *((TEXT, [work(title.format(TITLE), "Overgaard", **ARTICLE | {"page": "301-302"})], ("", False))
          for title in ("Reprint of: {}", "{} (Reprinted)", "Publisher’s Note: {}", "{}; Correction",
                        "{} [Erratum]", "Faculty Opinions recommendation of {}.", "Data from: {}",
                        "{}. By A. Overgaard", "In this issue: {}", "Supplementary material for {}")),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE | {"page": "301-302"})], ("0", False)),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE | {"page": "301"})], ("0", False)),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE), work(TITLE, "Overgaard", **ARTICLE | {"page": "301"})],
         ("0", True)),
        # The last page tells as much as the first; from page 1 on is the file of an article.
        (TEXT.replace("44", "43"), [work(TITLE, "Overgaard", **ARTICLE)], ("0", True)),
        ("Overgaard, A. (2006). Journal of Lakes 12, 1-9.",
         [work(TITLE, "Overgaard", **ARTICLE | {"page": "1-9"})], ("", False)),
        ("Overgaard, A. (2006). Journal of Lakes 12, 1-31.",
         [work(TITLE, "Overgaard", **ARTICLE | {"page": "1–31"})], ("0", True)),
        ("Overgaard, A. (2006). Journal of Lakes 12, 31-44.",
         [work(TITLE, "Overgaard", **ARTICLE | {"page": "1–31"})], ("", False)),
        (TEXT.replace("44-61", "43-59"), [work(TITLE, "Overgaard", **ARTICLE)], ("0", False)),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE | {"page": "1-18"})], ("0", True)),
        # Initials are no words of a journal, and a section is a part of its name.
        (f"Overgaard, A. P., Miller, M. (2006). {TITLE}. bioRxiv.",
         [work(TITLE, "Overgaard", **ARTICLE | {"container-title": "Psychological Methods"})],
         ("0", False)),
        ("Phys. Rev. A 31, 1695 (2006).", [work(TITLE, "Overgaard", volume="31", page="1695",
          **{"container-title": "Physical Review B"})], ("", False)),
        ("Phys. Rev. A 31, 1695 (2006).", [work(TITLE, "Overgaard", volume="31", page="1695",
          **{"container-title": "Physical Review A"})], ("0", True)),
        # Two works in one text, and the title up to its subtitle.
        (f"Brandt, B. (2003). Towers. Moons 3; {TEXT}", [work(TITLE, "Overgaard", **ARTICLE)],
         ("0", False)),
        ("Overgaard, A. (2006). Lakes and herons, Springer.",
         [work("Lakes and Herons: A Practical Guide", "Overgaard", type="book")], ("0", True)),
        ("Overgaard, A. (2006). Lakes and herons: Part I. Moons, Springer.",
         [work("Lakes and Herons: Part II. Suns", "Overgaard", type="book")], ("", False)),
        ("Overgaard, A. (2006). Lakes and herons: a history of towers, Springer.",
         [work("Lakes and Herons: A Practical Guide", "Overgaard", type="book")], ("", False)),
        # Preprint and article: what the text says of its journal, volume and year decides.
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE), work(TITLE, "Overgaard", **PREPRINT)],
         ("0", True)),
        (f"Overgaard, A. (2006). {TITLE}. bioRxiv.",
         [work(TITLE, "Overgaard", **ARTICLE), work(TITLE, "Overgaard", **PREPRINT)], ("1", True)),
        (f"{TEXT} bioRxiv.",
         [work(TITLE, "Overgaard", **ARTICLE), work(TITLE, "Overgaard", **PREPRINT)], ("0", True)),
        (f"Overgaard, A. (2006). {TITLE}.",
         [work(TITLE, "Overgaard", **ARTICLE), work(TITLE, "Overgaard", **PREPRINT)], ("01", False)),
        (TEXT, [work(TITLE, "Overgaard", **PREPRINT)], ("0", False)),
        (f"Overgaard, A. (2006). {TITLE}. bioRxiv.", [work(TITLE, "Overgaard", **ARTICLE)],
         ("0", False)),
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE | {"container-title": "Trans. Moons",
                                                      "volume": "3", "page": "7"})], ("0", False)),
        # Two works that fit alike.
        (TEXT, [work(TITLE, "Overgaard", **ARTICLE)] * 2, ("01", False)),
        # Short titles inside longer ones, and parts.
        ("Coifman, R., Lafon, S. (2006). Diffusion maps. ACHA 21(1), 5-30.",
         [work("Diffusion maps", "Coifman", "Lafon")], ("0", True)),
        ("Coifman, R. (2006). Clustering by diffusion maps of moons. ACHA.",
         [work("Diffusion maps", "Coifman", "Lafon")], ("", False)),
        ("Coifman, R. (2006). Diffusion maps and moons. ACHA.",
         [work("Diffusion maps", "Coifman", "Lafon")], ("", False)),
        ("Aasen, B. (2006). The flash of moons and lakes. II. Splitting. Moons 3, 1-9.",
         [work("The flash of moons and lakes. III. Splitting", "Aasen")], ("", False)),
        # The next article, and what is no page: another title at the last page, a volume, an issue.
        *((f"Overgaard, A. (2006). {text}", [work(TITLE, "Overgaard", **ARTICLE | {"page": page})],
           ("", False))
          for text, page in (("“Geese in winter forests”. Journal of Lakes 12, 61-70.", "44-61"),
                             ("“Geese in winter forests”. Journal of Lakes 12, 44-61.", "44-61"),
                             ("Geese in winter. Journal of Lakes 12, 300-320.", "1-12"),
                             ("Geese in winter. Journal of Lakes 5(12), 100-120.", "1-12"))),
        (f"{TEXT} bioRxiv.", [work(TITLE, "Overgaard", **PREPRINT)], ("0", False)),
        (TEXT, [work(TITLE, "Overgaard", type="Preprint", publisher="OSF")], ("0", False)),
        # Years of a title are no pages.
        (f"Overgaard, A. (2006). {TITLE} (1985–2004). Journal of Lakes.",
         [work(f"{TITLE} (1985–2004)", "Overgaard", **ARTICLE)], ("0", True)),
        # Other people, another year, another title.
        (TEXT, [work(TITLE, "Brandt", **ARTICLE)], ("", False)),
        (f"Overgaard, A. (2006). {TITLE}.", [work(TITLE, "Overgaard", year=1999)], ("", False)),
        (TEXT, [work("Tidal locking of large ponds by resting storks", "Overgaard")], ("", False)),
        # A title of another work, marked, at the place of this one.
        ("**A census of lighthouses and towers** [2006] Brandt, B. [Journal of Lakes 2006, 12, 44-61]",
         [work(TITLE, "Overgaard", **ARTICLE)], ("", False)),
        ("Brandt, B. [Journal of Lakes 2006, 12, 44-61]", [work("", "Brandt", **ARTICLE)],
         ("0", True)),
        # A year for each version of software; other people beside all of its own; a long title.
        (f"Overgaard, A. (2025). {TITLE}. R package version 3.3.",
         [work(TITLE, "Overgaard", type="software")], ("0", True)),
        (f"Overgaard, A. (2025). {TITLE}.", [work(TITLE, "Overgaard")], ("", False)),
        (f"Overgaard, A. (2009). {TITLE}. Journal of Lakes 12, 4.",
         [work(TITLE, "Overgaard", **ARTICLE | {"page": ""})], ("0", True)),
        (f"Overgaard, A., Miller, B., Berg, C. (2006). {TITLE}. Journal of Lakes. D. Brandt, E. Paskin.",
         [work(TITLE, "Overgaard", "Miller", "Berg", **ARTICLE)], ("0", True)),
        ("Ann et al. (2006). Tidal locking of small mountain lakes by slowly migrating grey herons.",
         [work("Tidal locking of small mountain lakes by slowly migrating grey herons", "Overgaard")],
         ("0", True)),
        # What is in no journal was no preprint the year before, and may be dated a year later.
        (f"Overgaard, A. (2006). {TITLE}.", [work(TITLE, "Overgaard", year=2007)], ("0", True)),
        (f"Overgaard, A. (2006). {TITLE}.", [work(TITLE, "Overgaard", year=2007, **ARTICLE)],
         ("0", False)),
        (f"Overgaard, A. (2006). {TITLE}. Springer.",
         [work(TITLE, "Overgaard", year=2007, **{"container-title": "Series on Lakes"})], ("0", True)),
        # A page at the beginning of a line is no item of a list.
        (f"Overgaard, A. (2006). {TITLE}. Journal of Lakes 41, no. 4 (December 2006):\n   43105.",
         [work(TITLE, "Overgaard", **ARTICLE | {"volume": "41", "page": "43105-1:13"})], ("0", True)),
        # The journal as it is registered in short; initials and an article are no journal.
        ("Callan RJ, Meter DC. Renaming of small herds in dry valleys. ASNP Proceedings. 2006.",
         [work("Renaming of small herds in dry valleys", "Callan", "Meter", page="182-185",
               **{"container-title": "American Society of Naming Practitioners Conference",
                  "short-container-title": ["ASNP Proceedings"]})], ("0", True)),
        ("Overgaard A, Berg B (2006). A census of lighthouses.",
         [work("A census of lighthouses and towers of the north", "Overgaard", "Berg", volume="7",
               **{"container-title": "Applied Buildings"})], ("", False)),
        # A server of preprints by its record, and any in -Xiv.
        *((f"Overgaard, A. (2006). {TITLE}. {server}.", [work(TITLE, "Overgaard", type="posted-content", publisher=publisher)],
           ("0", True))
          for server, publisher in (("SocArXiv", "Center for Open Science"), ("Lake Archive", "Lake Archive"))),
        # The number of an article is its page.
        (f"Overgaard, A. (2006). {TITLE}. Journal of Lakes 12, e00226.",
         [work("Tidal locking of small lakes", "Overgaard", **ARTICLE | {"page": "e00228-06"})], ("0", False)),
        # Pages of an entry without a volume, from 1 on, are those of an article before it had any.
        (f"@article{{a, author = {{Overgaard, Ann}}, title = {{{TITLE}}}, year = 2006, journal = {{Lakes}}, pages = {{1--12}}}}",
         [work(TITLE, "Overgaard", **ARTICLE | {"volume": "17"})], ("0", True)),
        # A year apart, and one of the year that the text has.
        (f"Overgaard, A. (2006). {TITLE}. Springer.",
         [work(TITLE, "Overgaard", year=2005, type="book"), work(TITLE, "Overgaard", type="book")], ("1", True)),
        # Nothing to compare with.
        (TEXT, [work("")], ("", False)),
        (TEXT, [Work()], ("", False)),
        (TEXT, [work("", "Overgaard", **ARTICLE)], ("0", True)),
        (TEXT, [work(TITLE)], ("0", True)),
        ("Weather of the small moons. 2001. Smith, A.", [Work.of({"title": "Weather of the small moons"})],
         ("", False)),
        ("", [work(TITLE, "Overgaard")], ("", False)),
    ],
)  # fmt: skip
def test_what_is_accepted(text, works, expected):
    assert names(text, *works) == expected


@pytest.mark.parametrize(("text", "works", "why"), [
    (TEXT, [work(TITLE, "Overgaard", **ARTICLE)], "title, first author, year, journal, volume, page"),
    (TEXT, [work(TITLE, "Overgaard", **ARTICLE)] * 2, "two works fit"),
    (TEXT, [work(TITLE, "Overgaard", **ARTICLE)] * 3, "3 works fit"),
    (TEXT, [work(TITLE, "Overgaard", **ARTICLE | {"page": "301"})], "another volume or page is registered"),
    (TEXT, [work(TITLE, "Overgaard", **PREPRINT)], "it is a preprint, which the text is not"),
    (f"Overgaard, A. (2006). {TITLE}. bioRxiv.", [work(TITLE, "Overgaard", **ARTICLE)], "the text names a preprint"),
    (f"Overgaard, A. (2006). {TITLE}.", [work(TITLE, "Overgaard", year=2007, **ARTICLE)],
     "another year is registered, 2007"),
    (f"Overgaard, A. (2006). {TITLE} (v1.0) [Data set].",
     [work(TITLE, "Overgaard", type="dataset", version="2.0")], "another release is registered"),
    (f"Berg, C. (2006). {TITLE}. Paskin, Overgaard.", [work(TITLE, "Overgaard")], "other people are registered"),
    (f"Brandt, B. (2003). Towers. Moons 3; {TEXT}", [work(TITLE, "Overgaard", **ARTICLE)],
     "the text describes two works"),
    (TEXT, [work("Towers", "Brandt")], ""),
])  # fmt: skip
def test_why(text, works, why):
    assert fitting(text, [(DOI(f"10.1000/{n}"), each) for n, each in enumerate(works)]).why == why


def test_the_name_in_the_text_is_no_answer():
    fit = fitting(f"{TEXT} doi:10.1000/0", [(DOI("10.1000/0"), work(TITLE, "Overgaard"))],
                  DOI("10.1000/0"))  # fmt: skip
    assert fit.works == ()


def test_a_text_of_two_works_is_not_one_of_them():
    other = work("A census of lighthouses in landlocked countries", "Brandt", year=2018)
    text = f"{TEXT} Brandt, A. (2018). A census of lighthouses in landlocked countries."
    assert not fitting(
        text, [(DOI("10.1000/0"), work(TITLE, "Overgaard")), (DOI("10.1000/1"), other)]
    ).sure


def test_the_identifier_of_arxiv_says_more_than_the_year():
    found = [
        (DOI("10.48550/arXiv.1802.03426"), work(TITLE, "Overgaard", year=2020, type="article"))
    ]
    text = f"Overgaard, A. (2018). {TITLE}. arXiv:"
    assert fitting(f"{text}1802.03426", found).sure
    assert not fitting(f"{text}1802.03427", found).sure
    translated = "[4] A. Overgaard. *Gezeiten kleiner Seen*. 2020. https://arxiv.org/abs/1802.034"
    assert fitting(f"{translated}26", found).sure
    assert not fitting(f"{translated}27", found).works


FIELDS = (
    "type",
    "title",
    "author",
    "issued",
    "container-title",
    "volume",
    "page",
    "publisher",
    "version",
)


def registered(line):
    """The work of a line of ``tempting.md``; None for one that is not registered."""
    values = ["" if each.strip() == "-" else each.strip() for each in line.split("|")]
    record = dict(zip_longest(FIELDS, values, fillvalue=""))
    if not record["title"]:
        return None
    role = "editor" if record["author"].startswith("ed: ") else "author"
    people = record.pop("author").removeprefix("ed: ").split("; ")
    parts = [each.split(", ") for each in people if each]
    record[role] = [dict(zip(("family", "given"), each, strict=False)) for each in parts]
    return Work.of(record | {"issued": {"date-parts": [[int(record["issued"])]]}})


@pytest.mark.parametrize(("lines", "text"), [
    pytest.param(lines, text, id=title)
    for _, (title, *lines), text, _ in dotted(Path(__file__).with_name("tempting.md"))
])  # fmt: skip
def test_a_work_that_tempts(lines, text):
    works = [
        (DOI(f"10.1000/{number}"), registered(line.partition(": ")[2]))
        for number, line in enumerate(lines)
    ]
    others = [(doi, work) for doi, work in works[1:] if work]
    assert fitting(text, others).doi is None
    own = [(doi, work) for doi, work in works[:1] if work]
    assert fitting(text, own + others).doi == (own[0][0] if own else None)
