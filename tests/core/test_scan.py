"""Spans, and what holds for every text."""

import contextlib
import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from doilinks import DOI, InvalidDOI, scan
from doilinks.core import everyday
from doilinks.core import scan as scanning
from doilinks.core.scan import may_contain_doi
from doilinks.core.steps import PARTNER, WORDS

from ..tools.fixtures import CONFORMANCE, read_cases
from ..tools.names import REAL as REAL_NAMES
from ..tools.proof import number
from ..tools.steps import BEGIN, END, STEPS, marked, scan_without
from ..tools.tables import tables

TABLES = tables(__file__)


def spans(text):
    return [[text[m.start : m.end], m.doi.name, m.form] for m in scan(text)]


@pytest.mark.parametrize(("text", "expected"), TABLES["spans"])
def test_spans(text, expected):
    assert spans(text) == expected


@pytest.mark.parametrize(("text", "expected"), TABLES["text_that_is_not_only_prose"])
def test_text_that_is_not_only_prose(text, expected):
    """LaTeX, strings of programs, JSON, HTML entities, tables of values, as one comes upon them."""
    assert [[written, name] for written, name, _ in spans(text)] == expected


def test_the_tail_of_a_url_is_kept_apart():
    [match] = scan("https://doi.org/10.1000/182?a=b#c")
    assert match.tail == "?a=b#c"


LETTERS = st.sampled_from("abcXYZ0189")
ASCII_SIGNS = st.sampled_from("-._;()/:<>[]+#%&'\"*~@!$,={}|\\^`? ")
ANY_GRAPHIC = st.characters(
    exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"), max_codepoint=0x2FFFF
)
SUFFIX = st.text(LETTERS | ASCII_SIGNS | ANY_GRAPHIC, min_size=1, max_size=24)
PREFIX = st.from_regex(r"\A10\.[0-9]{4,9}(\.[0-9]{1,3}){0,2}\Z")
NAMES = st.builds("{}/{}".format, PREFIX, SUFFIX)

# Names as they are in the wild: balanced, ending in a letter or digit.
PIECE = st.text(st.sampled_from("abcXYZ0189-_.:;/+"), min_size=1, max_size=6)
BALANCED = st.recursive(
    PIECE,
    lambda inner: (
        st.builds("{}({}){}".format, PIECE, inner, PIECE)
        | st.builds("{}[{}]{}".format, PIECE, inner, PIECE)
    ),
    max_leaves=3,
)
REAL = st.builds("{}/a{}b1".format, PREFIX, BALANCED)


def chances(part, of):
    return number("texts made by chance", part, of, one_in=5)


@given(NAMES)
@settings(max_examples=chances("forms", 400), deadline=None)
@example("10.1000/%41")
@example("10.1000/..")
@example("10.1000/?#")
@example("10.1000/10.1000/10.1000/1")
def test_every_form_that_says_where_it_ends_gives_the_name_back(name):
    doi = DOI(name)
    for form in (f"<{doi.uri}>", f"<{doi.url}>", f"<{doi.urn}>"):
        assert [m.doi.name for m in scan(f"see {form} there")] == [name], form


ENDS = st.sampled_from("abXY019-/+")


@given(st.builds("{}{}".format, NAMES, ENDS))
@settings(max_examples=chances("prose", 400), deadline=None)
def test_uri_url_and_urn_in_prose_give_the_name_back(name):
    """A letter, digit, hyphen, slash or plus at the end: nothing that prose could mean."""
    doi = DOI(name)
    brackets = re.sub(r"[^()]", "", doi.uri)
    while "()" in brackets:
        brackets = brackets.replace("()", "")
    words = re.search(
        r"[,;.:(\[](PMID|PMCID|PubMed|URL|doi|pii|www|10\.)|[+&]10\.|&[a-z]+[=;]|,[A-Z][a-z]|,19",
        doi.uri,
    )
    if brackets or words:
        return
    for form in (doi.uri, doi.url, doi.urn):
        assert [m.doi.name for m in scan(f"see {form} there")] == [name], form


AROUND = (
    "{}. | {}, | {}; | {}: | {}! | {}? | ({}) | [{}] | {{{}}} | \"{}\" | '{}' | “{}” | ‘{}’ | «{}» | "
    "({}). | “{}.” | (see {}). | <{}> | {}… | *{}* | `{}`"
).split(" | ")


@given(REAL, st.sampled_from(AROUND), st.sampled_from(["", "doi:", "DOI: "]))
@settings(max_examples=chances("around", 500), deadline=None)
def test_punctuation_quotes_and_brackets_around_never_change_the_answer(name, around, label):
    text = f"It is {around.format(label + name)} More follows."
    assert [m.doi.name for m in scan(text)] == [name]


TOKENS = (
    "10. 10.1000/ doi: a 1 / ( ) < > \" ' “ , ; . %2F %41 % http:// https://doi.org/ doi.org/ urn:doi: "
    "cr3q ? # 日 。 [1] PMID: | \\"
).split(" ") + [" ", "\n", "\u200b", "\ud800", "\x00"]


@given(st.lists(st.sampled_from(TOKENS) | st.characters(), max_size=30).map("".join))
@settings(max_examples=chances("any", 1500), deadline=None)
def test_any_text(text):
    """Never raises; spans are ordered, disjoint, not empty and inside the text."""
    last = 0
    for match in scan(text):
        assert last <= match.start < match.end <= len(text)
        assert isinstance(match.doi, DOI)
        last = match.end
    if last:
        assert may_contain_doi(text)


# The steps: each row of the tables does what it says, and no row could be left out.


def test_the_names_of_steps_are_unique():
    names = [step.name for step in STEPS]
    assert len(names) == len(set(names)) > 40


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
@pytest.mark.parametrize("field", ["example", "unlike"])
def test_an_example_of_a_step(step, field):
    text, at = marked(getattr(step, field))
    places = [match.start if step in BEGIN else match.end for match in scan(text)]
    assert places[:1] == ([] if at is None else [at])  # a list has more names


def found_by(scanner, texts):
    """What a scanner finds in each of the texts; its matches may be of another import."""
    return [[(m.start, m.end, m.doi.name, m.form, m.tail) for m in scanner(text)] for text in texts]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_a_step_is_needed(step):
    texts = [marked(step.example)[0], marked(step.unlike)[0]]
    assert found_by(scan_without(step), texts) != found_by(scan, texts)


def test_a_scan_of_all_steps_is_the_same_when_made_again():
    """The measure itself: what differs without a step differs for want of it."""
    other = END[0]._replace(name="a row of no table")
    texts = [marked(text)[0] for step in STEPS for text in (step.example, step.unlike)]
    assert found_by(scan_without(other), texts) == found_by(scan, texts)


# The words that are glued to a name, and where each one counts.


PLACES = {
    "after_stop": "10.1000/182.{}",
    "after_nothing": "10.1000/182{}",
    "in_brackets": "10.1000/182[{}]2",
}


def counts(word, place, *, colon):
    """Whether the table lets a word count there, in this spelling."""
    for row in WORDS:
        rule = getattr(row, place)
        case = re.IGNORECASE if rule == "any" else 0
        if re.fullmatch(row.word, word, case) and (
            rule in ("any", "as is") or (colon and rule == "colon")
        ):
            return True
    return False


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("row", WORDS, ids=lambda row: row.word)
def test_a_word_counts_where_the_table_says_so(row, place):
    word = row.word.replace("[a-z]+", "th")
    for each in (word, word.swapcase(), word.lower(), word + "x"):
        for colon in ("", ":") if place != "in_brackets" else ("",):
            text = f"see {PLACES[place].format(each)}{colon} there"
            [match] = scan(text)
            cut = match.doi.name == "10.1000/182"
            assert cut == counts(each, place, colon=bool(colon)), text


def test_each_word_counts_somewhere():
    assert all(set(row[1:]) != {"no"} for row in WORDS)


# The shortcut to names that begin and end as most do.


@pytest.fixture
def slowly(monkeypatch):
    """The function ``scan`` without the shortcuts, in the same form as ``found_by``."""

    def found(texts):
        with monkeypatch.context() as patch:
            patch.setattr(everyday, "IS_ON", False)
            return found_by(scan, texts)

    return found


EVERYDAY_TOKENS = (
    "10.1000/ -10.1000/ -doi: -http:// -dx.doi.org/ a 1 - / . : _ ( ) , ; PMID pmid PubMed Google arXiv PMC12345 doi DOI pii www. http:// URL 10.".split()
    + [" "]
)


@given(st.lists(st.sampled_from(EVERYDAY_TOKENS), max_size=16).map("".join))
@settings(
    max_examples=chances("shortcut", 1500),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_end_by_the_shortcut(slowly, text):
    texts = [f"see 10.1000/a{text} there"]
    assert slowly(texts) == found_by(scan, texts)


LABELS = everyday._LABELS
BEFORE = (
    "doi: doi: DOI: doi DOİ: doi.org/ https://doi.org/ http://dx.doi.org/ https://dx.doi.org/ dx.doi.org/ www.doi.org/ http://example.org/ https://doi.org: urn: info:doi/ : ： / = ? @ < > ( [ { \" ' ` “ ‘ « » a 1 . - _ 10.1000/1 10.5281/ 10.2020/1 , ;".split()
    + [*" \n\t\u3000", "  "]
)


@given(st.lists(st.sampled_from(BEFORE), max_size=6).map("".join))
@settings(
    max_examples=chances("shortcut to the begin", 1500),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_begin_by_the_shortcut(slowly, text):
    names = ("10.1000/a", "10.1000/a>", "10.1000/a).", '10.1000/a",', "10.5281/a", "10.2020/11")
    texts = [f"{text}{name}{after}" for name in names for after in ("", " there")]
    assert slowly(texts) == found_by(scan, texts)


def test_the_shortcuts_change_nothing_for_what_we_know(slowly):
    """Real names with labels, in brackets and quotes, among words of publishers; sentences of the
    fixtures, which are the seeds of the fuzzer, and of the documentation; examples of the steps.
    """
    names = REAL_NAMES.read_text(encoding="utf-8").split()
    tails = ["", ".", "),", *(f"{before}{row.word}:" for row in WORDS for before in ("", ".", "["))]
    texts = [f"see {name} there" for name in names]
    texts += [f"see {name}{tails[n % len(tails)]} there" for n, name in enumerate(names)]
    labels = [label.replace("\\.", ".").replace("\\s", " ") for label, _ in LABELS]
    labels = [label.replace("[Dd][Oo][Ii]", "DOI") for label in labels]
    openers = ["", *everyday._OPENERS, "a(", ": ", "doi: <", "doi ", "= "]
    texts += [
        f"see {openers[n % len(openers)]}{labels[n % len(labels)]}{name}{tail} there"
        for n, name in enumerate(names)
        for tail in (".", PARTNER.get(openers[n % len(openers)], "") + ",")
    ]
    folder = CONFORMANCE.parents[1]
    texts += [path.read_text(encoding="utf-8") for path in folder.glob("docs/**/*.md")]
    texts += [path.read_text(encoding="utf-8") for path in folder.glob("tests/**/*.md")]
    texts += [case.source for path in CONFORMANCE.glob("[a-z]*.md") for case in read_cases(path)]
    texts += [marked(text)[0] for step in STEPS for text in (step.example, step.unlike)]
    assert slowly(texts) == found_by(scan, texts)
    begun = [match for text in texts if (match := scanning._TEN_OR_BEGIN.search(text))]
    taken = Counter(match.lastindex for match in begun if match.lastindex)
    assert all(taken[number + 1] > 100 for number in range(len(LABELS))), "a shortcut was not taken"


@given(st.text())
def test_doi_raises_nothing_but_invalid_doi(text):
    for read in (DOI, DOI.parse):
        with contextlib.suppress(InvalidDOI):
            assert isinstance(read(text), DOI)
