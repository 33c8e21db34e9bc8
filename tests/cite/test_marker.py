"""The paragraph that asks for a list of references."""

import pytest

from doilinks.cite.marker import ListRequest, list_request


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[doi-list]", ListRequest()),
        (" [doi-list] \n", ListRequest()),
        ("[doi-list order=places style=apa]", ListRequest("places", "page", "apa")),
        ("[doi-list scope=project]", ListRequest("names", "project")),
        ("[doi-list style=]", ListRequest(style="")),
        ("[doi-list] and", None),
        ("[doi-lists]", None),
        ("[doi-list", None),
        ("see [doi-list]", None),
    ],
)
def test_what_is_asked_for(text: str, read: ListRequest | None):
    assert list_request(text) == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[doi-list order=wrong]", "doi-list: order takes one of 'names', 'places', 'years', got 'wrong' [doi-list]"),
        ("[doi-list scope=\x1b]", "doi-list: scope takes one of 'page', 'project', 'all', got '\\x1b' [doi-list]"),
        ("[doi-list oder=names]", "doi-list: oder: there is no such option (did you mean order?) [doi-list]"),
        ("[doi-list a\x1b=1]", "doi-list: a\\x1b: there is no such option (there are: order, scope, style) [doi-list]"),
        ("[doi-list places]", "doi-list: places: there is no such option (there are: order, scope, style) [doi-list]"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_has_the_default(text: str, message: str):
    read = list_request(text)
    assert read is not None
    assert (read.order, read.scope, read.trouble) == ("names", "page", (message,))
