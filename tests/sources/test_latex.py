"""LaTeX: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import names


def test_groups_may_be_nested_deeply():
    deep = "{" * 10_000 + "doi:10.1000/1" + "}" * 10_000
    assert names(deep, "tex") == ["10.1000/1"]
    assert names(f"\\href{{https://doi.org/10.1000/2}}{{{deep}}} 10.1000/3", "tex") == [
        "10.1000/2", "10.1000/3",
    ]  # fmt: skip


def test_the_block_is_a_paragraph_or_an_item_as_readers_see_it():
    text = r"""A paragraph.

\bibitem[Doe(2001)]{doe} J.~Doe, \emph{A \& B}, % a comment
  {\bf 3}, 2001. \url{https://doi.org/10.1000/1}
\bibitem{roe} R. Roe, \href{https://doi.org/10.1000/2}{C--D}, 2002.
"""
    found = read(text, "tex", Options(), blocks=True)
    assert [" ".join(each.block.split()) for each in found] == [
        "J. Doe, A & B, 3, 2001. https://doi.org/10.1000/1",
        "R. Roe, C--D, 2002.",
    ]


ENTRY = r"""\bibitem[A\mbox{.}(2008)]%
        {10.1000/key}
\bibfield{author}{\bibinfo{author}{A. \bibnamefont{Nov{\'a}k}}} \bibinfo {year} {2008}.\hskip 1em plus
  0.5em minus 0.4em\relax \bibinfo{title}{Stra{\ss}e}. \penalty0 8:\penalty0 1. \doi{10.1000/1}\BibitemShut {NoStop}%
\end{thebibliography}
\entry{10.1000/key}{article}{}
  \name{author}{2}{}{%
    {{hash=4}{%
       family={Novák},
       familyi={N\bibinitperiod},
       given={A.\bibnamedelimi B.},
       giveni={A\bibinitperiod}}}%
    {{un=0,hash=5}{%
       family={Doe}}}%
  }
  \strng{namehash}{45}
  \field{sortinit}{N}
  \field{title}{A {B} \& C}
  \field{pages}{1\bibrangedash 9}
  \verb{doi}
  \verb 10.1000/2
  \endverb
\endentry
"""


def test_the_block_has_nothing_of_what_bibtex_and_biber_write_for_themselves():
    found = read(ENTRY, "tex", Options(), blocks=True)
    assert [" ".join(each.block.split()) for each in found] == [
        r"A. Nov\'ak 2008. Strasse. 8:1. 10.1000/1",
        "author = Novák, A. B. and Doe, title = A B & C, pages = 1-9",
    ]


def test_a_link_whose_text_names_another_work_says_so():
    (found,) = read(r"\href{https://doi.org/10.1000/1}{doi:10.1000/a\_2}", "tex", Options())
    assert found.other.name == "10.1000/a_2"


def test_the_rest_of_a_command_whose_argument_is_no_name_is_not_prose():
    (found,) = read(r"\url{see 10.1000/1}, Doe 2001.", "tex", Options(), blocks=True)
    assert found.span == (9, 18)
    assert names(r"\url{10.1000/1 10.1000/a}b", "tex") == ["10.1000/1", "10.1000/a"]
