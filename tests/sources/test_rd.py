"""R documentation: which names count, where they are, and what is around them."""

import pytest

from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import assert_places, names

PAGE = r"""% 10.1000/comment
\name{10.1000/no}
\references{
  A. \doi{▸10.1000/1}, \href{▸https://doi.org/10.1000/2_a}{here {10.1000/no}}, \url{▸https://doi.org/10.1000/3\%3Cx},
  ▸doi:10.1000/a\%b, (▸10.1000/4) \emph{▸10.1000/5}. \url{▸doi:10.1000/6} \code{10.1000/code{10.1000/code}\}}
  \doi{▸10.1002/(SICI)1<2::AID>3.0.CO;2-X} \href{https://example.org/10.1000/no}{10.1000/no}
}
\examples{
f("10.1000/code") # {10.1000/code} 10.1000/code
}
\seealso{▸10.1000/7}
"""


def test_the_places_of_a_page():
    assert_places(
        PAGE, "rd",
        [
            ("10.1000/1", "role"), ("10.1000/2_a", "link"), ("10.1000/3<x", "url"),
            ("10.1000/a%b", "label"), ("10.1000/4", "bare"), ("10.1000/5", "bare"),
            ("10.1000/6", "label"), ("10.1002/(SICI)1<2::AID>3.0.CO;2-X", "role"),
            ("10.1000/7", "bare"),
        ],
    )  # fmt: skip


PROGRAM = r"""#' See \doi{▸10.1000/1}, [this](▸https://doi.org/10.1000/2), 100% of ▸doi:
#'   10.1000/3 and \code{10.1000/code}.
#' @examples
#' f("10.1000/code")
#'
#' @references ▸10.1000/4
f <- function(x = "10.1000/no # 10.1000/no", y = '\'10.1000/no') { # ▸10.1000/5
  # See
  # ▸10.1000/6
  r"(10.1000/no " # 10.1000/no)"; R'-[10.1000/no ' # 10.1000/no]-'; r"{10.1000/no " # 10.1000/no}"
  `#10.1000/no`; "# 10.1000/no
  10.1000/no" # ▸10.1000/7
}
"""


def test_the_places_in_a_program():
    forms = {1: "role", 2: "url", 3: "label"}
    expected = [(f"10.1000/{number}", forms.get(number, "bare")) for number in range(1, 8)]
    assert_places(PROGRAM, "r", expected)


def test_the_block_is_a_paragraph_as_readers_see_it():
    text = "A.\n\nJ. Doe, \\emph{B}, 2001. \\doi{10.1000/1}\n\nC.\n"
    for kind, made in (("rd", text), ("r", "#' " + text[:-1].replace("\n", "\n#' "))):
        (found,) = read(made, kind, Options(), blocks=True)
        assert found.block == "J. Doe, B, 2001. 10.1000/1", kind


def test_the_block_ends_with_its_section():
    text = "\\examples{\nf(1)\n}\n\\references{\n% Not this.\nM. H\\enc{ö}{oe}hle. 5\\%. \\doi{10.1000/1} % nor this\n}\n\\author{A.}\n"
    (found,) = read(text, "rd", Options(), blocks=True)
    assert found.block == "M. Höhle. 5%. 10.1000/1"


def test_emphasis_is_no_item():
    text = "#' - A.\n#' - J. Doe. B.\n#'   *C* 1.\n#' *D* \\doi{10.1000/1}\n#' @export\n"
    (found,) = read(text, "r", Options(), blocks=True)
    assert found.block == "- J. Doe. B.\n*C* 1.\n*D* 10.1000/1"


CITATION = r"""citHeader("To cite a, see ▸doi:10.1000/1")
cited <- format(bibentry("Article", # see ▸10.1000/2
  title = "A \"B\"", author = c(person("J.", "Doe")), doi = "▸10.1000/3",
  url = '▸https://doi.org/10.1000/\x34',
  textVersion = paste("Doe, J. (2001). A.", "▸doi:10.1000/5."))); f("10.1000/no")
bibentry("Misc", doi = "", DOI="▸10.1000/6<7>")
list(doi = "10.1000/no")
"""


@pytest.mark.parametrize("kind", ["r", "citation"])
def test_the_strings_of_an_entry_count(kind):
    forms = {1: "label", 2: "bare", 3: "field", 4: "url", 5: "label"}
    names = [(f"10.1000/{number}", form) for number, form in forms.items()]
    assert_places(CITATION, kind, [*names, ("10.1000/6<7>", "field")])


def test_the_block_is_the_entry():
    text = CITATION.replace("▸", "")
    blocks = [each.block for each in read(text, "r", Options(), blocks=True)]
    assert blocks[2].startswith("bibentry(")
    assert blocks[2].endswith('10.1000/5."))')
    assert blocks[2] == blocks[4]
    assert blocks[5] == 'bibentry("Misc", doi = "", DOI="10.1000/6<7>")'


@pytest.mark.parametrize("broken", ['bibentry("a', "bibentry(", "bibentry(()", "citEntry(doi='"])
def test_an_entry_may_be_broken(broken):
    assert names(f"# 10.1000/1\n{broken}", "r") == ["10.1000/1"]


def test_another_file_of_that_name_is_a_text():
    assert names("If you use it, cite 'doi:10.1000/1'.\n", "citation") == ["10.1000/1"]


DESCRIPTION = """Package: a
Description: After Doe (2001) ▸<doi:10.1000/1>, Roe (2002)
    ▸<doi:10.1002/(SICI)1097-0258(19990830)18:16%3C2147::AID%3E3.0.CO;2-I> and ▸<DOI:10.1000/2>.
URL: https://example.org, ▸https://doi.org/10.1000/3
    (▸10.1000/4)
"""


def test_the_places_of_a_description():
    sici = "10.1002/(SICI)1097-0258(19990830)18:16<2147::AID>3.0.CO;2-I"
    expected = [("10.1000/1", "angle"), (sici, "angle"), ("10.1000/2", "angle")]
    assert_places(DESCRIPTION, "dcf", [*expected, ("10.1000/3", "url"), ("10.1000/4", "bare")])
    found = list(read(DESCRIPTION.replace("▸", ""), "dcf", Options(), blocks=True))
    assert [each.block.split(":")[0] for each in found] == ["Description"] * 3 + ["URL"] * 2


def test_a_function_of_another_name_cites_nothing():
    assert names(
        'my.bibentry("10.1000/1"); x_bibentry("10.1000/1"); bibentry("10.1000/2")', "r"
    ) == ["10.1000/2"]
