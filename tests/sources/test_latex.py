"""LaTeX: which names of a document count, where they are, and what is around them."""

from doilinks.core.options import Options
from doilinks.files.sources import read

from ..tools.places import assert_places, names

DOCUMENT = r"""% 10.1000/comment 100\% 10.1000/still
\documentclass{article} % https://doi.org/10.1000/comment
\providecommand{\doi}[1]{\href{https://doi.org/#1}{doi:#1}}
\section{On ▸doi:10.1000/1}
See~▸doi:~10.1000/a\_b, \doi{▸10.1000/2}, \DOI{▸https://doi.org/10.1000/3} and \textbf{▸10.1000/4}\%.
\href{▸https://doi.org/10.1000/5_a}{here, 10.1000/no, {\bf {or} \} 10.1000/no}} and
\href [pdfnewwindow] {%
  ▸http://dx.doi.org/10.1000/6%23\#x} {it}, \url{▸https://doi.org/10.1000/7%3Cx},
\nolinkurl{▸10.1000/8_x}, \path{▸doi:10.1000/9}, \href{ ▸https://doi.org/10.1000/22}{padded}, \href{https://example.org/10.1000/no}{10.1000/no}.
\cite{10.1000/key} \Cref{10.1000/key} \hypertarget{ref-doi:10.1000/key}{} \hyperlink{10.1000/key}{\hyperref[a]{▸10.1000/18}}
\bibitem[A\mbox{.}(2008)]%
        {10.1000/key} \bibitem [{\citenamefont {A}\ (2008){[n.d.]b}}]{10.1000/key}\bibitem[a[b]]{10.1000/key}
\citep[see ▸10.1000/10][p.~2]{a,10.1000/key} \label{10.1000/key} \ref{10.1000/key}
\verb|10.1000/code| \verb*+10.1000/code+ \lstinline[language=R]!10.1000/code!
\lstinline{10.1000/code}, \mintinline[a]{c++}{10.1000/code}, \mint{c}|10.1000/code|, \Verb|10.1000/code|, $a=▸10.1000/19$
\begin{verbatim}
10.1000/code
\end{verbatim}
\begin{lstlisting}[language=C] 10.1000/code \end{lstlisting}
\iffalse 10.1000/comment \fi
\doi{▸10.1002/(SICI)1\textless{}2::AID\textgreater{}3.0.CO;2-X}, ▸10.1000/b{\_}c\-d$<$5::6\textgreater 7, ▸10.1000/11\\
▸10.1000/%
  joined ▸10.1000/\linebreak[1]20\_\allowbreak 1 ▸10.1000/\discretionary{-}{}{}21 \doi{\url{▸https://doi.org/10.1000/12}} \acmDOI{▸10.1000/13}{10} \detokenize{▸10.1000/14_5}
\href {▸\doibase 10.1103/PhysRev.1} {\bibfield {journal} {\bibinfo {pages} {10.1000/no}}}
\bibinfo {doi} {▸10.1/15}, \field{doi}{▸10.1/16}
\verb{doi}
\verb ▸10.1/17_x
\endverb
\verb{urlraw}
\verb ▸http://dx.doi.org/10.1/17_x
\endverb
\verb{file}
\verb 10.1000/no
\endverb
\end{document}
10.1000/no % 10.1000/no
"""

ROLE, LINK, URL, BARE = "role", "link", "url", "bare"


def test_latex_places():
    assert_places(
        DOCUMENT, "tex",
        [
            ("10.1000/1", "label"), ("10.1000/a_b", "label"), ("10.1000/2", ROLE),
            ("10.1000/3", ROLE), ("10.1000/4", BARE), ("10.1000/5_a", LINK), ("10.1000/6#", LINK),
            ("10.1000/7<x", URL), ("10.1000/8_x", BARE), ("10.1000/9", "label"),
            ("10.1000/22", LINK), ("10.1000/18", BARE), ("10.1000/10", BARE), ("10.1000/19", BARE),
            ("10.1002/(SICI)1<2::AID>3.0.CO;2-X", ROLE), ("10.1000/b_cd<5::6>7", BARE),
            ("10.1000/11", BARE), ("10.1000/joined", BARE), ("10.1000/20_1", BARE),
            ("10.1000/21", BARE), ("10.1000/12", URL), ("10.1000/13", BARE), ("10.1000/14_5", BARE),
            ("10.1103/PhysRev.1", LINK), ("10.1/15", ROLE), ("10.1/16", ROLE), ("10.1/17_x", ROLE),
            ("10.1/17_x", URL),
        ],
    )  # fmt: skip


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
