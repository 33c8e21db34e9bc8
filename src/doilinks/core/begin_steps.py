"""The steps that decide where a name begins, one row each.

``begin`` joins its patterns from these tables. A pattern that is a lookbehind
describes the characters just before a place in the text.
"""

from __future__ import annotations

from typing import Final

from .doi import DOI_HOST, MISTYPED, TO_NAME, WEB
from .steps import FULL_WIDTH, SLASH, Step

# The characters between "10." and the slash of a bare name.
BARE: Final = (
    Step(
        "registrant code",
        r"[0-9]{4,9}(?:\.[0-9]+)*",  # subdivided by full stops [NISO §4.2]
        "see |10.1000.10/123456",
        "the network 10.0.0.0/8",
    ),
    # https://www.doi.org/the-identifier/resources/factsheets/doi-system-and-the-isbn-system
    Step("ISBN-A", r"97[89](?:\.[0-9]+)+", "see |10.978.8898392/315", "see 10.97.8898392/315"),
)
DATE: Final = Step(
    "date",
    r"(?:19|20)[0-9]{2}/[0-9]{1,2}(?:/[0-9]{1,2})?(?![0-9A-Za-z/_-]|[.:][0-9A-Za-z])",
    "between 10.2020/11/13 and 10.2021/22",
    "see |10.1999/12-3",
)

# The prefix of a name after a label.
AFTER_LABEL: Final = (
    Step(
        "registrant code after a label",
        rf"10\.[0-9]{{3,9}}(?:\.[0-9]+)*{SLASH}",
        "see |doi:10.054/1418EC1N2LE",
        "see 10.054/1418EC1N2LE",
    ),
    Step("shortDOI after a label", rf"10{SLASH}", "see |doi:10/12ab", "see 10/12ab"),
)
# The prefix of a name in a URL or URN, or after a label that follows a quote or an opening bracket.
ANY_PREFIX: Final = Step(
    "any prefix", rf"10(?:\.[0-9]+)*{SLASH}", 'the name "|doi:10.1/x"', "the name doi:10.1/x"
)
URN: Final = Step("URN", r"10(?:\.[0-9]+)*:", "see |urn:doi:10.123:456", "see doi:10.123:456")
# Only in JSON: elsewhere, an author writes 10.1000\/182 to prevent a link.
JSON: Final = Step(
    "escaped slash",
    r"(?:(?<=[:,\[]\")|(?<=[:,\[]\s\")|(?<=\\/))10\.[0-9]{4,9}(?:\.[0-9]+)*\\/",
    r'"DOI": "|10.1000\/a.1"',
    r"see 10.1000\/a.1",
)

LABEL: Final = Step(
    "label",
    r"doi(?:[ \t]?[:：](?://?|\s{0,3})|[.-])?",
    "see |DOI: 10.1000/182",
    "the DOI |10.1000/182",
)
LONGER_LABEL: Final = Step(
    "label in a longer word",
    r"(?<=[a-z])|(?<=[a-z]_)|(?:(?<=[.-])|(?<=[_.-]_))(?=[^-]*-\Z)",
    "data-doi-10.1000/182",
    "(_|doi:10.1000/182_)",
)

# The parts of a URL, in their order.
_LABEL_BEFORE: Final = r"(?:(?=d)(?<![A-Za-z])doi[ \t]?[:：]\s{0,3})?"
# Text copied from a PDF may glue a URL to a word, as in "URLhttps://doi.org/10.1000/182". So a
# complete scheme may follow a letter; a misspelt scheme, or a host without a scheme, may not.
_SCHEME: Final = rf"(?:https?:(?:\\?/){{2}}|(?=h)(?<![A-Za-z]){WEB}|(?=[dw])(?<![\w./%-]))"
_HOST: Final = rf"{DOI_HOST}{TO_NAME}"
_URL_WITHIN: Final = rf"(?:{WEB}{_HOST})?"  # as in https://doi.org/https://doi.org/10.1000/182
_LABEL_WITHIN: Final = r"(?:urn:doi:|info:doi/|doi:[ ]?)?"

INFO_URI: Final = Step(
    "info URI",
    r"(?=i)(?<![A-Za-z_/%.-])info:doi/",
    "see |info:doi/10.1000/182",
    "see myinfo:doi/10.1000/182",
)
URLS: Final = (
    Step(
        "URL of doi.org",
        f"{_LABEL_BEFORE}{_SCHEME}{_HOST}{_URL_WITHIN}{_LABEL_WITHIN}",
        "see |DOI: https://doi.org/10.1000/182",
        "see https://notadoi.org/10.1000/182",
    ),
    Step(
        "mistyped URL",
        rf"(?=h)(?<![A-Za-z]){MISTYPED}",
        "see |https://doi:10.1000/182",
        "see https://dog:10.1000/182",
    ),
    INFO_URI,
)
# Heuristic: a shortDOI contains a digit; without one, the URL is a page of the web site.
SHORT_URL: Final = Step(
    "shortDOI in a URL",
    r"(?=[a-z]*[0-9])[0-9a-z]{3,12}(?![\w/%-]|\.\w)",
    "see |https://doi.org/cr3qwn",
    "see https://doi.org/resources",
)
PATH: Final = Step(
    "path",  # what ends like this is a URL of doi.org, or no name begins
    r"(?<=/)|(?<=doi\.org:)|(?<=doi\.org: )",
    "the file data/10.1234/foo",
    "see |doi.org/10.1000/182",
)

# After these, a bare name does not begin.
NOT_AFTER: Final = (
    # In a string of a program, \n, \r and \t stand for white space.
    Step(
        "longer word or number",
        r"(?<=[^\W_])(?<!\\[nrt])",
        "version 2010.1234/foo",
        r'"Titles:\n|10.1000/183"',
    ),
    Step("joined word", r"(?<=[^\W_][-+_~^])", "the key v-10.1234/foo", "see -|10.1000/182"),
    Step("formula or escape", r"(?<=[%\\$])", r"see \10.1000/182", "see *|10.1000/182*"),
    Step("decimal or time", r"(?<=\d[.:])", "at 9:10.1234/foo", "see:|10.1000/182"),
)
# A bare name does not begin within these either, however far before the name they begin.
QUERY: Final = Step(
    "query of a URL",
    r"[/?]\S*(?<=[=?&])|&(?:amp;)?[\w.-]+=",
    "see dataverse.example/x?id=doi:10.7910/DVN/24098",
    "see doi=|10.1000/182",
)
NOT_WITHIN: Final = (
    Step(
        "identifier of another kind",
        r"(?i:(?<![A-Za-z])(?:oai|urn|tag):\S*(?<=:))",
        "the record oai:example.org:10.1000/182",
        "the foai:example.org:|10.1000/182",
    ),
    QUERY,
)
# After this, and within the URL of another site, a name begins in no form. Pandoc writes
# @doi:10.1000/182 and @{doi:10.1000/182}, Manubot writes @url:https://doi.org/10.1000/182.
CITATION_KEY: Final = Step(
    "citation key",
    r"(?<=@)|(?<=@\{)|(?<=@url:)",
    "see [@doi:10.1000/182]",
    "see @ |10.1000/182",
)
FOREIGN_URL: Final = Step(
    "URL of another site",
    rf"://(?!{DOI_HOST}[/:]|doi[/:]10\.)",
    "see https://example.org/(10.1000/182)",
    "see https://example.org/a, |10.1000/182",
)
# The rest of such a URL. In a list of references, a comma or semicolon before the next DOI ends
# it; in the text of a Markdown or LaTeX link, "](" and "}{" do; and full-width punctuation always
# does.
FOREIGN_REST: Final = (
    rf"(?:[^\s<>\"`|,;\]}}{FULL_WIDTH}]++"
    r"|[,;](?!doi\s?:|10\.[0-9]{4})|\](?!\()|\}(?!\{))*+"
)
