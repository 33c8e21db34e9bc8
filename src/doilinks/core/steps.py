"""The steps of detection, one row each: glued words, and where a name begins and ends.

``begin`` and ``scan`` join their patterns from these tables.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from .doi import DOI_HOST, ENCODED, PUBLISHERS_PATH, RESOLVER, SHORT_CODE, TO_NAME, WEB
from .doi import SLASH as TYPED_SLASH

# --------------------------------------------------------------------------------------------------
# One step of the scan: a named rule, a text to which it applies, and one to which it does not.
#
# The order of a table is the order in which its steps are tried.
# ``docs/explanation/prose.md`` explains each step under the same name.

# The slash between prefix and suffix.
SLASH: Final = r"(?:[/／]|%(?:25)?2[Ff])"

# Scripts whose words join others without a space, as ranges of code points: Hebrew and Arabic by
# their prefixes, Thai and Lao, Burmese, Hangul, Khmer, Han, Kana. They are not a class of a
# pattern, because the engine takes a millisecond to compile one.
_JOINING: Final = (
    (0x0590, 0x08FF), (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF),
    (0x2E80, 0x2FDF), (0x3040, 0xA4CF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC), (0x20000, 0x3FFFF),
)  # fmt: skip

# Full-width and CJK punctuation, as part of a character class.
FULL_WIDTH: Final = r"\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"

BRACKETS: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}

# The pairs that may enclose a name.
PARTNER: Final = {
    **BRACKETS, '"': '"', "'": "'", "`": "`",
    "“": "”", "„": "“", "‘": "’", "‚": "‘", "«": "»", "‹": "›", "⟨": "⟩",
}  # fmt: skip


class Step(NamedTuple):
    """One rule for where a name begins or ends.

    No standard says where a name begins or ends in prose, so a step is a heuristic unless its row
    cites a standard.

    :ivar name: the name of the step in ``docs/explanation/prose.md``
    :ivar pattern: the text that the step looks for, a regular expression without groups
    :ivar example: a text to which the step applies. The first ``|`` is not part of the text: it is
        where the name begins, its label included, or, for a step of the end, where the name ends. A
        text without a ``|`` contains no name.
    :ivar unlike: a similar text to which the step does not apply, marked in the same way

    >>> either(Step("comma", ",(?=10)", "10.1/a|,10.1/b", "10.1/a,b|"), Step("bar", "[|]", "", ""))
    ',(?=10)|[|]'
    """

    name: str
    pattern: str
    example: str
    unlike: str

    @property
    def group(self) -> str:
        """The name of this step's group in a joined pattern."""
        return self.name.replace(" ", "_")


def either(*steps: Step, grouped: tuple[Step, ...] = ()) -> str:
    """Join the patterns of steps, tried in this order; each of ``grouped`` becomes a group."""
    return "|".join(
        f"(?P<{step.group}>{step.pattern})" if step in grouped else step.pattern for step in steps
    )


def one_of(*steps: Step) -> str:
    """Join steps whose patterns are parts of a character class: any one of their characters."""
    return f"[{''.join(step.pattern for step in steps)}]"


def is_joining(character: str) -> bool:
    """Tell whether a character is of a script whose words join others without a space."""
    code = ord(character)
    return any(first <= code <= last for first, last in _JOINING)


# --------------------------------------------------------------------------------------------------
# Words that publishers' pages and reference lists glue to a name, and where each word counts.
#
# Heuristic: a name may contain the same letters, so a word counts only where no registered name was
# seen to contain it, and only in the case in which pages write it there.

# "any": in upper or lower case; "as is": as in the table; "colon": as in the table, before a colon.
Counts = Literal["any", "as is", "colon", "no"]


class Word(NamedTuple):
    """A word that is not part of the name to which it is glued."""

    word: str  # the word, a regular expression
    after_stop: Counts  # whether it counts after a stop: ``10.1000/182.PMID: 1``
    after_nothing: Counts  # whether it counts directly after the name: ``10.1000/182PMID: 1``
    in_brackets: Counts  # whether it counts after an opening bracket: ``10.1000/182[PMID 1]``


WORDS: Final = (
    #                 after_stop  after_nothing  in_brackets
    Word("PMID",      "any",      "as is",       "any"),
    Word("PMCID",     "any",      "as is",       "any"),
    Word("PubMed",    "any",      "as is",       "any"),
    Word("Medline",   "any",      "as is",       "any"),
    Word("CrossRef",  "any",      "as is",       "any"),
    Word("Crossref",  "no",       "as is",       "no"),
    Word("Epub",      "any",      "as is",       "any"),
    Word("Available", "any",      "as is",       "no"),
    Word("Accessed",  "any",      "as is",       "no"),
    Word("Retrieved", "any",      "as is",       "no"),
    Word("Google",    "as is",    "as is",       "any"),
    Word("ISSN",      "as is",    "as is",       "no"),
    Word("ISBN",      "as is",    "no",          "no"),
    Word("URL",       "as is",    "no",          "no"),
    Word("arXiv",     "as is",    "colon",       "as is"),
    Word("hep-[a-z]+", "no",      "no",          "as is"),
    Word("doi",       "colon",    "colon",       "as is"),
    Word("DOI",       "colon",    "colon",       "as is"),
    Word("pii",       "no",       "no",          "as is"),
    Word("PII",       "no",       "no",          "as is"),
)  # fmt: skip


def _words(place: str, counts: Counts) -> str:
    return "|".join(word.word for word in WORDS if getattr(word, place) == counts)


# Before one of these, the word is only the beginning of a longer word.
_GOES_ON: Final = r"[a-z0-9_./-]"
# The number of an article at PubMed Central.
_PUBMED_CENTRAL: Final = r"PMC[0-9]{4,}(?![\w/-])"

AFTER_STOP: Final = (
    rf"(?:(?:(?i:{_words('after_stop', 'any')})|{_words('after_stop', 'as is')})(?!{_GOES_ON})"
    rf"|(?:{_words('after_stop', 'colon')})(?=:)|{_PUBMED_CENTRAL})"
)
AFTER_NOTHING: Final = (
    rf"(?:(?:{_words('after_nothing', 'as is')})+(?=[.,;:]?\Z|:)"
    rf"|(?:{_words('after_nothing', 'colon')})(?=:))"
)
IN_BRACKETS: Final = rf"(?:(?i:{_words('in_brackets', 'any')})|{_words('in_brackets', 'as is')})\b"
# Matches at a place that is not after a word of AFTER_NOTHING.
ZENODO: Final = "5281"  # the registrant code of Zenodo
NO_WORD: Final = "".join(f"(?<!{word.word})" for word in WORDS if word.after_nothing == "as is")
NO_WORD_BEFORE_COLON: Final = "".join(
    f"(?<!{word.word})" for word in WORDS if word.after_nothing == "colon"
)


# --------------------------------------------------------------------------------------------------
# The steps that decide where a name begins.
#
# A pattern that is a lookbehind describes the characters just before a place in the text.

# The characters between "10." and the slash of a bare name.
BARE: Final = (
    Step("registrant code", r"[0-9]{4,9}(?:\.[0-9]+)*",  # subdivided by full stops [NISO §4.2]
         "see |10.1000.10/123456", "the network 10.0.0.0/8"),
    # https://www.doi.org/the-identifier/resources/factsheets/doi-system-and-the-isbn-system
    Step("ISBN-A", r"97[89](?:\.[0-9]+)+", "see |10.978.8898392/315", "see 10.97.8898392/315"),
)  # fmt: skip
DATE: Final = Step("date",
    r"(?:19|20)[0-9]{2}[/／][0-9]{1,2}(?:[/／][0-9]{1,2})?(?![0-9A-Za-z/_-]|[.:][0-9A-Za-z])",
    "between 10.2020/11/13 and 10.2021/22", "see |10.1999/12-3")  # fmt: skip

# The prefix of a name after a label.
AFTER_LABEL: Final = (
    Step("registrant code after a label", rf"10\.[0-9]{{3,9}}(?:\.[0-9]+)*{SLASH}",
         "see |doi:10.054/1418EC1N2LE", "see 10.054/1418EC1N2LE"),
    Step("shortDOI after a label", rf"10{SLASH}", "see |doi:10/12ab", "see 10/12ab"),
)  # fmt: skip
# The prefix of a name in a URL or URN, or after a label that follows a quote or an opening bracket.
ANY_PREFIX: Final = Step("any prefix", rf"10(?:\.[0-9]+)*{SLASH}",
    'the name "|doi:10.1/x"', "the name doi:10.1/x")  # fmt: skip
URN: Final = Step("URN", r"10(?:\.[0-9]+)*:", "see |urn:doi:10.123:456", "see doi:10.123:456")
# Only in JSON: elsewhere, an author writes 10.1000\/182 to prevent a link.
JSON: Final = Step("escaped slash",
    r"(?:(?<=[:,\[]\")|(?<=[:,\[]\s\")|(?<=\\/))10\.[0-9]{4,9}(?:\.[0-9]+)*\\/",
    r'"DOI": "|10.1000\/a.1"', r"see 10.1000\/a.1")  # fmt: skip

LABEL: Final = Step("label", r"doi(?:[ \t]?[:：](?://?|\s{0,3})|[.-])?",
    "see |DOI: 10.1000/182", "the DOI |10.1000/182")  # fmt: skip
LONGER_LABEL: Final = Step("label in a longer word",
    r"(?<=[a-z])|(?<=[a-z]_)|(?:(?<=[.-])|(?<=[_.-]_))(?=[^-]*-\Z)",
    "data-doi-10.1000/182", "(_|doi:10.1000/182_)")  # fmt: skip

# The parts of a URL, in their order.
_LABEL_BEFORE: Final = r"(?:(?=d)(?<![A-Za-z])doi[ \t]?[:：]\s{0,3})?"
# Text copied from a PDF may glue a URL to a word, as in "URLhttps://doi.org/10.1000/182". So a
# complete scheme may follow a letter; a misspelt scheme, or a host without a scheme, may not.
_SCHEME: Final = (
    rf"(?:(?:https?[:：](?:{TYPED_SLASH}){{2}}){{1,2}}"
    rf"|(?=h)(?<![A-Za-z]){WEB}|(?=[0dw])(?<![\w./%-]))"
)
_HOST: Final = rf"{DOI_HOST}{TO_NAME}"
# As in https://doi.org/https://doi.org/10.1000/182 and https://doi.org/doi:10.1000/182.
_WITHIN: Final = (
    rf"(?:(?:{WEB})?{_HOST}|{ENCODED}|urn:doi:|info:doi/|doi(?::[ ]?|%3A)|{PUBLISHERS_PATH}){{0,4}}"
)

INFO_URI: Final = Step("info URI", r"(?=i)(?<![A-Za-z_/%.-])info:doi/",
    "see |info:doi/10.1000/182", "see myinfo:doi/10.1000/182")  # fmt: skip
URLS: Final = (
    Step("URL of doi.org", f"{_LABEL_BEFORE}{_SCHEME}{_HOST}{_WITHIN}",
         "see |DOI: https://doi.org/10.1000/182", "see https://notadoi.org/10.1000/182"),
    Step("mistyped URL", rf"{_LABEL_BEFORE}(?=h)(?<![A-Za-z])https?://doi[:/]",
         "see |https://doi:10.1000/182", "see https://dog:10.1000/182"),
    Step("URL without a host", rf"(?:(?=d){_LABEL_BEFORE}|(?=h)(?:(?<=doi )|(?<=<)))https?://",
         "see |doi: https://10.1000/182", "see https://10.1000/182"),
    INFO_URI,
)  # fmt: skip
SHORT_URL: Final = Step("shortDOI in a URL",
    rf"(?={SHORT_CODE})[0-9A-Za-z]{{3,12}}(?![\w/%-]|\.\w)",
    "see |https://doi.org/cr3qwn", "see https://doi.org/resources")  # fmt: skip
PATH: Final = Step("path",  # what ends like this is a URL of doi.org, or no name begins
    r"(?<=[/／])|(?<=doi\.org[:：])|(?<=doi\.org[:：] )|(?<=%[0-9a-f][0-9a-f])",
    "the file data/10.1234/foo", "see |doi.org/10.1000/182")  # fmt: skip

# After these, a bare name does not begin.
NOT_AFTER: Final = (
    # In a string of a program, \n, \r and \t stand for white space.
    Step("longer word or number", r"(?<=[^\W_])(?<!\\[nrt])",
         "version 2010.1234/foo", r'"Titles:\n|10.1000/183"'),
    Step("joined word", r"(?<=[^\W_][-+_~^])", "the key v-10.1234/foo", "see -|10.1000/182"),
    Step("formula or escape", r"(?<=[%\\$])", r"see \10.1000/182", "see *|10.1000/182*"),
    Step("decimal or time", r"(?<=\d[.:])", "at 9:10.1234/foo", "see:|10.1000/182"),
)  # fmt: skip
# A bare name does not begin within these either, however far before the name they begin.
URL_QUERY: Final = Step("query of a URL", r"[/?]\S*(?<=[=?&])|&(?:amp;)?[\w.-]+=",
    "see dataverse.example/x?id=doi:10.7910/DVN/24098", "see doi=|10.1000/182")  # fmt: skip
NOT_WITHIN: Final = (
    Step("identifier of another kind", r"(?i:(?<![A-Za-z])(?:oai|urn|tag):\S*(?<=:))",
         "the record oai:example.org:10.1000/182", "the foai:example.org:|10.1000/182"),
    URL_QUERY,
)  # fmt: skip
# After this, and within the URL of another site, a name begins in no form. Pandoc writes
# @doi:10.1000/182 and @{doi:10.1000/182}, Manubot writes @url:https://doi.org/10.1000/182.
CITATION_KEY: Final = Step("citation key", r"(?<=@)|(?<=@\{)|(?<=@url:)",
    "see [@doi:10.1000/182]", "see @ |10.1000/182")  # fmt: skip
FOREIGN_URL: Final = Step("URL of another site", rf"://(?!(?:{WEB})?{DOI_HOST}[/／:：]|doi[/:]10\.)",
    "see https://example.org/(10.1000/182)", "see https://example.org/a, |10.1000/182")  # fmt: skip
# The rest of such a URL. In a list of references, a comma or semicolon before the next DOI ends
# it; in the text of a Markdown or LaTeX link, "](" and "}{" do; and full-width punctuation always
# does.
FOREIGN_REST: Final = (
    rf"(?>(?:[^\s<>\"`|,;\]}}{FULL_WIDTH}]++"
    r"|[,;](?!doi\s?:|10\.[0-9]{4})|\](?!\()|\}(?!\{))*)"
)


# --------------------------------------------------------------------------------------------------
# The steps that decide where a name ends.
#
# A pattern looks forward no further than the name goes, or a fixed number of characters, so the
# scan stays linear.

_CLOSING_QUOTES: Final = "".join(sorted(set(PARTNER.values()).difference(BRACKETS.values())))

# These characters end every name. A code point that is not graphic ends it too [NISO §4.1]. Each
# pattern is part of a character class.
STOPS: Final = (
    Step("white space", r"\s", "see 10.1000/1#2| there", "see 10.1000/1#2-there|"),
    Step("table cell", "|", "see 10.1000/a||b", "see 10.1000/a¦b|"),
    Step("full-width punctuation", rf"{FULL_WIDTH}\ufe10-\ufe1f\ufe30-\ufe6f",
         "它是 10.1000/182|。另见", "it is 10.1000/182.2|"),
)  # fmt: skip

_DOI_FOLLOWS: Final = rf"(?:doi\s?:\s?|(?:https?://)?{RESOLVER}/)?10\.[0-9]{{4,9}}(?:\.[0-9]+)*/"
# &lt; and &gt;, or &#91; and &#93;, around the contribution identifier of a SICI.
ENTITY_BRACKETS: Final = (
    r"&(?:lt|\#60);[^\s<>&]{1,40}&(?:gt|\#62);(?=[0-9])|&\#91;[^\s<>&]{1,40}&\#93;(?=[0-9])"
)

# ``scan`` applies these steps under a condition that no pattern can express.
QUERY: Final = Step("query",  # the part of a URL after a "?" is the URL's own [RFC 3986 §3.4]
    r"&(?=[a-z]+=)", "see 10.1000/182|&pmid=123", "see 10.1000/a&b|")  # fmt: skip
# Of these, a spelled character is never the end.
SPELLED: Final = Step("spelled character", rf"\{{\\[_%&\#]\}}|{ENTITY_BRACKETS}|&amp;",
    r"see 10.1000/a{\_}b|", r"see 10.1000/a|{\textless}")  # fmt: skip
PLACEHOLDER: Final = Step("placeholder", r"\{",
    "write 10.1371/journal.{code} there", "see {10.1000/182|}")  # fmt: skip
UNBALANCED: Final = Step("unbalanced bracket", r"[()\[\]{}<>]",
    "see 10.1000/1[2]3|]", "see 10.1000/1[2]3|")  # fmt: skip
CLOSING_QUOTE: Final = Step("opening delimiter", f"[{_CLOSING_QUOTES}]",
    "see “10.1000/182|”3", "see '10.1000/it's|'")  # fmt: skip
SCRIPT: Final = Step("script without spaces", r"[^\x00-\x7f]",
    "これは10.1000/182|を", "10.1000/éを|")  # fmt: skip

CUTS: Final = (
    Step("markup tag", r"</?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>|</[\w.:-]+>|<!--",
         "10.1000/182|</ref>", "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0|"),
    Step("list",  # the ranges are dashes, bullets and other punctuation, and arrows
         rf"[,;،؛·&+\u2010-\u205e\u2190-\u21ff-](?={_DOI_FOLLOWS})",
         "10.1000/182|→10.1000/183", "10.1000/182-10.5|"),
    Step("glued URL", r"(?:[.,;]URL|[.,;:<(\[{])?https?://|[.,;:]www\.",
         "10.1000/182|https://example.org", "10.1000/a.http|"),
    Step("glued word after a stop", rf"[.,;]{AFTER_STOP}",
         "10.1126/science.1193063|.PMID:20847271", "10.1000/a.pmid/1|"),
    Step("glued word in brackets", rf"[\[(]{IN_BRACKETS}",
         "10.1016/j.pain.2013.06.022|[doi]3", "10.1111/j.0902-4441.2000.007s020[dash]3.x|"),
    Step("glued word", rf"(?<=[0-9a-z)]){AFTER_NOTHING}",
         "10.1111/j.1365.00182.x|CrossRefPubMedGoogle", "10.1000/PubMed2010|"),
    Step("next value", r",(?=[A-Z][a-z]{2}|[\"“']|(?:19|20)[0-9]{2}\b)|;(?=[\"“]|[a-z]+=)",
         "10.1000/182|,Smith", "10.1000/182,ABC|"),
    Step("end of a string", r"[\"'](?=[,:;]|/>)", '10.1000/182|":2', '10.1000/1"2|'),
    Step("dagger", "[†‡§¶]", "10.1000/182|††address", "10.1000/182-address|"),
    QUERY,
    Step("clause", r"—(?=[^\W\d_])", "10.1000/182|—a classic", "10.1000/182—3|"),
    SPELLED,
    Step("command or escape", r"\\(?=[A-Za-z])", r"10.1000/182|\n10", r"10.1000/a\_b|"),
    Step("entity", r"&(?:(?!lt;[^/])[a-z]{2,6}|\#[0-9]{2,5});",
         "10.1000/182|&quot;3", "10.1002/x(1)2:3&lt;4::AID-5&gt;6|"),
    Step("inline note", r"\^(?=\[)", "10.1000/182|^[a]", "10.1000/a^b|"),
    Step("end of an edit", r"(?:\+\+|--|==|~~|<<)(?=\})|~>", "{--10.1000/182|--}", "10.1000/a--b|"),
    Step("brace", r"\{(?![\w.()' -]*\})", "10.1000/182|{:target=x}3", "10.1000/a{\\_}2|"),
    PLACEHOLDER,
    UNBALANCED,
    CLOSING_QUOTE,
    SCRIPT,
)  # fmt: skip

# Part of a character class. "-", "/", "+" and "#" are not in it, because registered names end in
# them.
TRAILING: Final = Step("trailing punctuation", r""".,;:!?'"”’»…*_~^`“‘«\\–—(\[{<""",
    "see 10.1000/182|?!", "see 10.1021/bc030018+|")  # fmt: skip
# Punctuation that belongs to the sentence when it is at the end of a name.
TAILS: Final = (
    Step("footnote mark", r"\[\^?[0-9]{1,3}\]", "see 10.1000/182|.[12]", "see 10.1000/182[2010]|"),
    Step("title in brackets", r"\[[A-Za-z][A-Za-z -]{2,39}\]",
         "10.1000/182|[PDF]", "10.1000/182[a]|"),
    Step("emphasis", "==", "see ==10.1000/182|==", "see 10.1000/a=b=|"),
    Step("possessive", r"(?<=[0-9])'s|’s",
         "the title of 10.1000/def|’s author", "see 10.1000/it's|"),
)  # fmt: skip

# Placeholders for a name. ``scan`` applies these steps to each suffix, and the third one only to
# names of Zenodo, because each of those has a number.
X_OR_N: Final = Step("nothing but x or n", r"(?:^|[./_-])(?:[xX]{3,}|[nN]{5,})\Z",
    "write 10.1234/xxxx", "see 10.1000/maxxx|")  # fmt: skip
NOTHING_TO_READ: Final = Step("no letter or digit", r"[\W_]*\Z",
    "write 10.1000/--", "see 10.1000/-1-|")  # fmt: skip
UNNUMBERED: Final = Step("Zenodo without a number", r"(?i:zenodo)(?!\\?\.?[0-9])",
    "write 10.5281/zenodo.TBD", "see 10.5281/zenodo.123|")  # fmt: skip
