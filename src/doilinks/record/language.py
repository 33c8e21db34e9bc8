"""The words that pages show beside those of a record, in the language of their readers."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

# A row for each language. To add one, translate the row of English, and keep each {}.
_TABLE: Final = """
tag | two     | more     | quoted | no_date | editor | editors | edition | translator | retracted | concern | notice | back
en  | {} & {} | {} et al. | “{}” | n.d. | ed. | eds. | {} ed. | trans. | Retracted | Expression of concern | Notice of a retraction | Back to the text
de  | {} und {} | {} u. a. | „{}“ | o. J. | Hrsg. | Hrsg. | {}. Aufl. | Übers. | Zurückgezogen | Äußerung von Bedenken | Mitteilung einer Zurückziehung | Zurück zum Text
es  | {} y {} | {} et al. | «{}» | s. f. | ed. | eds. | {}.ª ed. | trad. | Retractado | Expresión de preocupación | Aviso de retractación | Volver al texto
fr  | {} et {} | {} et al. | «\u00a0{}\u00a0» | s. d. | éd. | éd. | {}e éd. | trad. | Rétracté | Expression de préoccupation | Avis de rétractation | Retour au texte
it  | {} e {} | {} et al. | «{}» | s.d. | a cura di | a cura di | {}ª ed. | trad. | Ritrattato | Espressione di preoccupazione | Avviso di ritrattazione | Torna al testo
ja  | {}・{} | {}ほか | 「{}」 | 日付なし | 編 | 編 | 第{}版 | 訳 | 撤回 | 懸念の表明 | 撤回のお知らせ | 本文に戻る
nl  | {} en {} | {} e.a. | ‘{}’ | z.d. | red. | red. | {}e dr. | vert. | Ingetrokken | Uiting van bezorgdheid | Bericht van intrekking | Terug naar de tekst
pl  | {} i {} | {} i in. | „{}” | b.d. | red. | red. | wyd. {} | tłum. | Wycofano | Wyrażenie zaniepokojenia | Informacja o wycofaniu | Powrót do tekstu
pt  | {} e {} | {} et al. | “{}” | s.d. | ed. | eds. | {}.ª ed. | trad. | Retratado | Manifestação de preocupação | Aviso de retratação | Voltar ao texto
ru  | {} и {} | {} и др. | «{}» | б. д. | ред. | ред. | {}-е изд. | пер. | Отозвано | Выражение обеспокоенности | Уведомление об отзыве | Назад к тексту
zh  | {}和{} | {}等 | 《{}》 | 日期不详 | 编 | 编 | 第{}版 | 译 | 已撤稿 | 关注声明 | 撤稿声明 | 返回正文
"""  # noqa: E501  a row is a line
_TAG: Final = re.compile("[a-z]{2,3}(-[a-z0-9]{1,8})*", re.IGNORECASE)  # a tag of BCP 47


class Language(NamedTuple):
    """The words of a language."""

    tag: str  # of the language that a page is in, as BCP 47 has it; ``""`` if nobody has said it
    two: str  # two people
    more: str  # people of whom the last ones are left out
    quoted: str  # a title in the place of people
    no_date: str
    editor: str  # after the people of an edited book
    editors: str
    edition: str  # a number or a word, from the second edition on
    translator: str
    retracted: str  # before a work of which readers must know this
    concern: str
    notice: str
    back: str  # what a screen reader says of a link from a list to the text


@cache
def rows() -> dict[str, Language]:
    """Read the table of languages."""
    lines = _TABLE.strip().splitlines()[1:]
    cells = (map(str.strip, line.split("|")) for line in lines)
    return {row.tag: row for row in (Language(*each) for each in cells)}


def language_of(tag: object) -> Language:
    """Return the words for a language; those of English for one that the table does not have.

    A region or a script is left out until there is a row. Spec: RFC 4647 §3.4.
    """
    said = str(tag or "").replace("_", "-")
    if not _TAG.fullmatch(said):
        return ENGLISH
    near = said.lower()
    while near and near not in rows():
        near = near.rpartition("-")[0]
    return (rows()[near] if near else ENGLISH)._replace(tag=said)


ENGLISH: Final = rows()["en"]._replace(tag="")
