"""Texts in Markdown that stay as they are in every Markdown host, although they contain names."""

UNTOUCHED = (
    "`10.1000/182` and ``doi:10.1000/182``", "    10.1000/182", "```\n10.1000/182\n```",
    "<div>\n10.1000/182\n</div>", '<span title="10.1000/182">x</span> <!-- doi:10.1000/182 -->',
    "<code>10.1000/182</code> and <a href='x'>10.1000/182</a>",
    "![10.1000/182, see doi:10.1000/a_b_c](10.1000/182.png)",
    "![10.1000/182, see *doi:10.1000/a_b_c*](10.1000/182.png)",
    "[10.1000/182 and *more*](https://example.org)",
    "https://www.biorxiv.org/content/10.1101/2020.11.02.364968v2", r"10\.1000/182",
    "on 10/2021/01 we",
)  # fmt: skip
