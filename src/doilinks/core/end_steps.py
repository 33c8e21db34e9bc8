"""The steps that decide where a name ends, one row each.

``end`` and ``scan`` join their patterns from these tables. A pattern looks forward no further than
the name goes, or a fixed number of characters, so the scan stays linear.
"""

from __future__ import annotations

from typing import Final

from .doi import RESOLVER
from .steps import AFTER_NOTHING, AFTER_STOP, BRACKETS, FULL_WIDTH, IN_BRACKETS, PARTNER, Step

_CLOSING_QUOTES: Final = "".join(sorted(set(PARTNER.values()).difference(BRACKETS.values())))

# These characters end every name. A code point that is not graphic ends it too [NISO §4.1]. Each
# pattern is part of a character class.
STOPS: Final = (
    Step("white space", r"\s", "see 10.1000/1#2| there", "see 10.1000/1#2-there|"),
    Step("table cell", "|", "see 10.1000/a||b", "see 10.1000/a¦b|"),
    Step(
        "full-width punctuation",
        rf"{FULL_WIDTH}\ufe10-\ufe1f\ufe30-\ufe6f",
        "它是 10.1000/182|。另见",
        "it is 10.1000/182.2|",
    ),
)

_DOI_FOLLOWS: Final = rf"(?:doi\s?:\s?|(?:https?://)?{RESOLVER}/)?10\.[0-9]{{4,9}}(?:\.[0-9]+)*/"
# &lt; and &gt; around the contribution identifier of a SICI.
ENTITY_BRACKETS: Final = r"&lt;[^\s<>&]{1,40}&gt;(?=[0-9])"

# ``end`` applies these steps under a condition that no pattern can express.
QUERY: Final = Step(
    "query",  # the part of a URL after a "?" is the URL's own [RFC 3986 §3.4]
    r"&(?=[a-z]+=)",
    "see 10.1000/182|&pmid=123",
    "see 10.1000/a&b|",
)
SPELLED: Final = Step(
    "spelled character",  # never the end
    rf"\{{\\[_%&\#]\}}|{ENTITY_BRACKETS}|&amp;",
    r"see 10.1000/a{\_}b|",
    r"see 10.1000/a|{\textless}",
)
PLACEHOLDER: Final = Step(
    "placeholder", r"\{", "write 10.1371/journal.{code} there", "see {10.1000/182|}"
)
UNBALANCED: Final = Step(
    "unbalanced bracket", r"[()\[\]{}<>]", "see 10.1000/1[2]3|]", "see 10.1000/1[2]3|"
)
CLOSING_QUOTE: Final = Step(
    "opening delimiter", f"[{_CLOSING_QUOTES}]", "see “10.1000/182|”3", "see '10.1000/it's|'"
)
SCRIPT: Final = Step(
    "script without spaces", r"[^\x00-\x7f]", "これは10.1000/182|を", "10.1000/éを|"
)

CUTS: Final = (
    Step(
        "markup tag",
        r"</?[A-Za-z][\w.-]*(?:\s[^<>]*)?/?>|</[\w.:-]+>|<!--",
        "10.1000/182|</ref>",
        "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-0|",
    ),
    Step(
        "list",  # the ranges are dashes, bullets and other punctuation, and arrows
        rf"[,;،؛·&+\u2010-\u205e\u2190-\u21ff-](?={_DOI_FOLLOWS})",
        "10.1000/182|→10.1000/183",
        "10.1000/182-10.5|",
    ),
    Step(
        "glued URL",
        r"(?:[.,;]URL|[.,;:<(\[{])?https?://|[.,;:]www\.",
        "10.1000/182|https://example.org",
        "10.1000/a.http|",
    ),
    Step(
        "glued word after a stop",
        rf"[.,;]{AFTER_STOP}",
        "10.1126/science.1193063|.PMID:20847271",
        "10.1000/a.pmid/1|",
    ),
    Step(
        "glued word in brackets",
        rf"[\[(]{IN_BRACKETS}",
        "10.1016/j.pain.2013.06.022|[doi]3",
        "10.1111/j.0902-4441.2000.007s020[dash]3.x|",
    ),
    Step(
        "glued word",
        rf"(?<=[0-9a-z)]){AFTER_NOTHING}",
        "10.1111/j.1365.00182.x|CrossRefPubMedGoogle",
        "10.1000/PubMed2010|",
    ),
    Step(
        "next value",
        r",(?=[A-Z][a-z]{2}|[\"“']|(?:19|20)[0-9]{2}\b)|;(?=[\"“]|[a-z]+=)",
        "10.1000/182|,Smith",
        "10.1000/182,ABC|",
    ),
    Step("end of a string", r"[\"'](?=[,:;]|/>)", '10.1000/182|":2', '10.1000/1"2|'),
    Step("dagger", "[†‡§¶]", "10.1000/182|††address", "10.1000/182-address|"),
    QUERY,
    Step("clause", r"—(?=[^\W\d_])", "10.1000/182|—a classic", "10.1000/182—3|"),
    SPELLED,
    Step("command or escape", r"\\(?=[A-Za-z])", r"10.1000/182|\n10", r"10.1000/a\_b|"),
    Step(
        "entity",
        r"&(?:(?!lt;[^/])[a-z]{2,6}|\#[0-9]{2,5});",
        "10.1000/182|&quot;3",
        "10.1002/x(1)2:3&lt;4::AID-5&gt;6|",
    ),
    Step("brace", r"\{(?![\w.()' -]*\})", "10.1000/182|{:target=x}3", "10.1000/a{\\_}2|"),
    PLACEHOLDER,
    UNBALANCED,
    CLOSING_QUOTE,
    SCRIPT,
)

# Part of a character class. "-", "/", "+" and "#" are not in it, because registered names end in
# them.
TRAILING: Final = Step(
    "trailing punctuation",
    r""".,;:!?'"”’»…*_~`“‘«\\–—(\[{<""",
    "see 10.1000/182|?!",
    "see 10.1021/bc030018+|",
)
# What belongs to the sentence when it is at the end of a name.
TAILS: Final = (
    Step("footnote mark", r"\[\^?[0-9]{1,3}\]", "see 10.1000/182|.[12]", "see 10.1000/182[2010]|"),
    Step(
        "title in brackets", r"\[[A-Za-z][A-Za-z -]{2,39}\]", "10.1000/182|[PDF]", "10.1000/182[a]|"
    ),
    Step("emphasis", r"==|\^\^", "see ==10.1000/182|==", "see 10.1000/a=b=|"),
    Step(
        "possessive",
        r"(?<=[0-9])'s|’s",
        "the title of 10.1000/def|’s author",
        "see 10.1000/it's|",
    ),
)

# Placeholders for a name. ``scan`` applies these steps to each suffix, and the third one only to
# names of Zenodo, because each of those has a number.
X_OR_N: Final = Step(
    "nothing but x or n",
    r"(?:^|[./_-])(?:[xX]{3,}|[nN]{5,})\Z",
    "write 10.1234/xxxx",
    "see 10.1000/maxxx|",
)
NOTHING_TO_READ: Final = Step(
    "no letter or digit", r"[\W_]*\Z", "write 10.1000/--", "see 10.1000/-1-|"
)
UNNUMBERED: Final = Step(
    "Zenodo without a number",
    r"(?i:zenodo)(?!\\?\.?[0-9])",
    "write 10.5281/zenodo.TBD",
    "see 10.5281/zenodo.123|",
)
