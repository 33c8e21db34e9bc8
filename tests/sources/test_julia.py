"""Julia: which names of a program count, where they are, and what is around them."""

import pytest

from doilinks.core.options import Options
from doilinks.files.fix import Original, chosen, mend
from doilinks.files.sources import read

from ..tools.places import assert_places, names

PROGRAM = r'''"""
    f(x)

Solve, after [DOI: 10.1000/no](▸https://doi.org/10.1000/1) and ▸doi:10.1000/2, `10.1000/code`.

# References
- J. Doe. A. ▸doi:10.1000/3
"""
f(x) = x' * "10.1000/no # 10.1000/no" # ▸10.1000/4
"Short, ▸doi:10.1000/5."
g(x) = ['"', '\'', "a"] # [this](▸https://doi.org/10.1000/6)
@doc raw"""
    ``\alpha``: ▸10.1000/7
""" h
const text = """10.1000/no""" * f("""10.1000/no""")
#= A
▸10.1000/8
=#
# See
#   ▸doi:
#   10.1000/9
k(a) = a'; l = "10.1000/no"
'''


def test_the_places_of_a_program():
    forms = ["link", "label", "label", "bare", "label", "link", "bare", "bare", "label"]
    assert_places(PROGRAM, "jl", [(f"10.1000/{n}", form) for n, form in enumerate(forms, 1)])


@pytest.mark.parametrize("broken", ['"', '"""', "#=", "'", "f('", '\n"""a'])
def test_a_program_may_be_broken(broken):
    assert names(f"# 10.1000/1\nx = {broken}", "jl") == ["10.1000/1"]


def test_the_block_is_a_paragraph_or_an_item():
    found = list(read(PROGRAM.replace("▸", ""), "jl", Options(), blocks=True))
    assert found[2].block == "J. Doe. A. doi:10.1000/3"


def test_fix_changes_documentation_alone():
    text = '"""http://dx.doi.org/10.1000/1"""\nf = "http://dx.doi.org/10.1000/1" # [a](http://dx.doi.org/10.1000/a_b)\n'
    done = mend(Original(text.encode(), "jl"), "jl", Options(), chosen([], [], asks=False))
    first, second = "https://doi.org/10.1000/1", "https://doi.org/10.1000/a_b"
    assert (
        done.octets.decode()
        == f'"""{first}"""\nf = "http://dx.doi.org/10.1000/1" # [a]({second})\n'
    )
