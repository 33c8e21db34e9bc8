"""The words that pages show beside those of a record, and head lists with, by their language."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

# A row for each language. To add one, translate the row of English, and keep each {}.
_TABLE: Final = """
tag | two     | more     | quoted | no_date | editor | editors | edition | translator | retracted | concern | notice | back | headings
en  | {} & {} | {} et al. | “{}” | n.d. | ed. | eds. | {} ed. | trans. | Retracted | Expression of concern | Notice of a retraction | Back to the text | reference references bibliography literature citation citations citing publication publications papers cited
de  | {} und {} | {} u. a. | „{}“ | o. J. | Hrsg. | Hrsg. | {}. Aufl. | Übers. | Zurückgezogen | Äußerung von Bedenken | Mitteilung einer Zurückziehung | Zurück zum Text | Literatur Literaturverzeichnis Literaturangaben Literaturhinweise Literaturliste Quellen Quellenverzeichnis Quellenangaben Referenzen Bibliografie Bibliographie Publikationen Veröffentlichungen
es  | {} y {} | {} et al. | «{}» | s. f. | ed. | eds. | {}.ª ed. | trad. | Retractado | Expresión de preocupación | Aviso de retractación | Volver al texto | referencias bibliografía bibliográficas literatura citas publicaciones
fr  | {} et {} | {} et al. | «\u00a0{}\u00a0» | s. d. | éd. | éd. | {}e éd. | trad. | Rétracté | Expression de préoccupation | Avis de rétractation | Retour au texte | références bibliographie bibliographiques littérature publications
it  | {} e {} | {} et al. | «{}» | s.d. | a cura di | a cura di | {}ª ed. | trad. | Ritrattato | Espressione di preoccupazione | Avviso di ritrattazione | Torna al testo | riferimenti bibliografia bibliografici letteratura pubblicazioni
ja  | {}・{} | {}ほか | 「{}」 | 日付なし | 編 | 編 | 第{}版 | 訳 | 撤回 | 懸念の表明 | 撤回のお知らせ | 本文に戻る | 参考文献 引用文献 参照文献 文献 文献リスト
nl  | {} en {} | {} e.a. | ‘{}’ | z.d. | red. | red. | {}e dr. | vert. | Ingetrokken | Uiting van bezorgdheid | Bericht van intrekking | Terug naar de tekst | referenties literatuur literatuurlijst literatuurverwijzingen bibliografie bronnen publicaties
pl  | {} i {} | {} i in. | „{}” | b.d. | red. | red. | wyd. {} | tłum. | Wycofano | Wyrażenie zaniepokojenia | Informacja o wycofaniu | Powrót do tekstu | bibliografia literatura piśmiennictwo źródła publikacje
pt  | {} e {} | {} et al. | “{}” | s.d. | ed. | eds. | {}.ª ed. | trad. | Retratado | Manifestação de preocupação | Aviso de retratação | Voltar ao texto | referências bibliografia bibliográficas literatura citações publicações
ru  | {} и {} | {} и др. | «{}» | б. д. | ред. | ред. | {}-е изд. | пер. | Отозвано | Выражение обеспокоенности | Уведомление об отзыве | Назад к тексту | литература литературы библиография источники источников публикации
zh  | {}和{} | {}等 | 《{}》 | 日期不详 | 编 | 编 | 第{}版 | 译 | 已撤稿 | 关注声明 | 撤稿声明 | 返回正文 | 参考文献 參考文獻 参考资料 引用文献 引文 文献
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
    headings: str  # words of headings, one of which says that references follow


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
