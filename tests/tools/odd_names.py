"""Real DOI names whose characters mean something in a markup, for the tests of several hosts."""

NAMES = (
    "10.1000/182", "10.1000/456#789",
    "10.1002/(SICI)1096-987X(199709)18:12<1450::AID-JCC3>3.0.CO;2-I",
    "10.1002/(SICI)1099-1751(199601/03)11:1<S29::AID-HPM465>3.0.CO;2-V",
    "10.1002/1097-4571(2000)9999:9999<::AID-ASI4>3.0.CO;2-0",
    "10.1175/1520-0493(1972)100<0081:OTAOSH>2.3.CO;2",
    "10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2", "10.18260/1-2--11357", "10.1000/it's",
    "10.1000/a...b", "10.1000/x(c)1", "10.1000/+-1", "10.1207/s15327957pspr0203&4_1",
    "10.1000/a&lt-b", "10.6338/JDA.202212/SP_17(4).0000", "10.1000/a_b_c", "10.1000/a__b__c",
    "10.1000/a*b*c", "10.1000/a**b**c", "10.1000/a~~b~~c", "10.1000/a^b^c", "10.1000/a=b==c",
    "10.1000/a$b$c", "10.1000/a:b:c", "10.1000/a@b.org", "10.1000/a!b", "10.1000/a/../b",
    "10.1000/a//b", "10.1000/100%a", "10.1000/Á", "10.1000/a;b,c", '10.1006/rwei.1999".0001',
    "10.978.8898392/315",
)  # fmt: skip

# Contexts of Markdown; {} is the name.
CONTEXTS = {
    "plain": "See {} for more.", "label": "See DOI: {} for more.", "emphasis": "The *see {}* one.",
    "underscores": "The _see {}_ one.", "strong": "The **{}** one.",
    "cell": "| a | b |\n|---|---|\n| x | {} |\n", "heading": "## About {} here\n",
    "item": "1. {}\n2. next\n", "quote": "> {}\n", "footnote": "Text[^1].\n\n[^1]: See {} there.\n",
    "definition": "Term\n:   See {} there.\n",
}  # fmt: skip
