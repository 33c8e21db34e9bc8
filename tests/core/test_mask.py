"""Words that stand for names while a host reads its markup."""

import random
import re

import pytest

from doilinks.core.mask import Masks, decoded
from doilinks.core.text import SourceText

NAMES = ["10.1000/a_b", "DOI: 10.1000/182", "10.1000/zdoi0x"]


def hidden(text, masks):
    return re.sub("@[0-9]", lambda at: masks.hide(at[0], NAMES[int(at[0][1])]), text)


def test_what_was_hidden_is_restored():
    rng = random.Random(0)
    for _ in range(2000):
        pieces = [
            "zdoi", "ZDOI0x", "zd", "0x", "x", "w", "y§", "§", "7", "@0", "@1", "@2", " ", "İK",
        ]  # fmt: skip
        text = "".join(rng.choices(pieces, k=8))
        masks = Masks.for_text(text)
        said = hidden(text, masks)
        assert masks.restore(said) == re.sub("@[0-9]", lambda at: NAMES[int(at[0][1])], text)
        items = [each.item for each in masks.pieces(said) if not isinstance(each, str)]
        assert items == re.findall("@[0-9]", text)


@pytest.mark.parametrize("change", [str.lower, str.upper, str.title, str.swapcase])
def test_a_host_may_change_the_case_of_a_word(change):
    masks = Masks.for_text("nothing")
    assert masks.restore(change(f"1 {masks.hide(1, '2')} 3")) == "1 2 3"


def test_a_word_that_was_cut_off_is_not_shown():
    masks = Masks.for_text("")
    words = [masks.hide(number, f"<{number}>") for number in range(12)]
    for size in range(4, len(words[11])):
        assert masks.restore(f"a {words[11][:size]}…") == "a …", size
    assert masks.restore(words[1] * 2) == "<1><1>"


def test_a_number_that_no_mark_has_is_nothing():
    masks = Masks.for_text("")
    word = masks.hide("first", "10.1000/182")
    assert masks.restore(word.replace("0", "7")) == ""
    assert masks.restore(word.replace("0", "0" * 5000)).strip("0x") == ""


def test_words_beside_brackets_disappear_with_what_is_beside_them():
    masks = Masks.for_text("")
    opens, closes = masks.bracket("opens", opens=True), masks.bracket("closes", opens=False)
    assert masks.restore(f"[{opens}§ §{closes}]") == "[§ §]"
    assert masks.restore(re.sub(r"\W", "", f"[{opens}see{closes}]")) == "see"


def test_a_host_may_decode_the_word():
    assert Masks.for_text("&#122;doi0x").hide(None, "") != "zdoi0x"


@pytest.mark.parametrize("piece", ["zdoi", "zdoi0", "zdoibbbbbbbbbbbb", "§", "ZDOI9x"])
def test_a_long_text_with_words_like_these_gets_another(piece):
    text = piece * 20_000
    masks = Masks.for_text(text)
    assert masks.restore(text + masks.hide(None, "!")) == text + "!"


@pytest.mark.parametrize(
    ("source", "text", "given"),
    [
        (r"a\_b\xc", r"a_b\xc", {}),
        (r"a\_b\:c", r"a_b\:c", {"escapes": "_"}),
        ("``a`b`` `c", "\0 `c", {}),
        ("<code>a</code>b<code>c", "\0</code>b<code>c", {}),
        ("<a href=x>y</a><!-- z -->", "<a href=x>y</a><!-- z -->", {}),
        ("<a href=x>y</a><!-- z -->", "\0</a>\0", {"raw_html": True}),
        ("a[^b] {.c}", "a\0 \0c}", {}),
        ("[a][b] [c]", "[a][\0 [c]", {"is_label": "b".__eq__}),
        ("[a `b] c`", "[a \0", {"is_label": "b".__eq__}),
        (r"\(a\) b", "\0 b", {"more": r"\\\(.*?\\\) |"}),
        ("&amp;&x;&#0;", "&&x;\ufffd", {}),
    ],
)  # fmt: skip
def test_markup_is_decoded_or_hidden(source, text, given):
    assert SourceText.of(source, decoded(source, **given)).text == text
