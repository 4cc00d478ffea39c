"""A paper as a Word file: styles, numbered clauses, tracked changes, tables, running head and foot, signature blocks."""

from __future__ import annotations

import random
from collections.abc import Iterable

from redwell.bench.generate.laid import Laid, Numbered, shown
from redwell.bench.generate.papers import Change, Heading, Para, Sign, Signatures, Table
from redwell.bench.generate.parts import (
    CORE_TYPE,
    HEAD,
    content_types,
    escaped,
    look,
    moment,
    properties,
    relationships,
    root_links,
    zipped,
)
from redwell.bench.generate.render_txt import printed
from redwell.bench.generate.writing import us_date

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w10="urn:schemas-microsoft-com:office:word"'
)
_WORD = "officedocument.wordprocessingml."
_TYPES = {
    "word/document.xml": f"{_WORD}document.main",
    "word/styles.xml": f"{_WORD}styles",
    "word/numbering.xml": f"{_WORD}numbering",
    "word/settings.xml": f"{_WORD}settings",
    "word/header1.xml": f"{_WORD}header",
    "word/footer1.xml": f"{_WORD}footer",
    **CORE_TYPE,
}
_LINKS = relationships(
    [
        ("rId1", "styles", "styles.xml"),
        ("rId2", "numbering", "numbering.xml"),
        ("rId3", "settings", "settings.xml"),
        ("rId4", "header", "header1.xml"),
        ("rId5", "footer", "footer1.xml"),
    ]
)
_FONTS = (
    ("Times New Roman", "Times New Roman", 22),
    ("Calibri", "Calibri", 22),
    ("Arial", "Arial", 20),
    ("Garamond", "Garamond", 23),
    ("Cambria", "Calibri", 22),
    ("Georgia", "Arial", 20),
)
_COLOURS = ("000000", "000000", "1F3864", "404040", "7B2C2C", "1E4D4A")
_LETTERED = [f"({chr(97 + n)})" for n in range(26)]


def render(laid: Laid) -> bytes:
    """The file's bytes. Clause numbers are the word processor's own in about half of the papers whose numbers it would count the same."""
    rng = look(laid, "docx")
    page = _Page(laid, rng)
    return zipped(
        {
            "[Content_Types].xml": content_types(_TYPES),
            "_rels/.rels": root_links("word/document.xml"),
            "word/document.xml": page.document(),
            "word/_rels/document.xml.rels": _LINKS,
            "word/styles.xml": page.styles(),
            "word/numbering.xml": _numbering(page.restarts),
            "word/settings.xml": f'{HEAD}<w:settings {_NAMESPACES}><w:defaultTabStop w:val="720"/></w:settings>',
            "word/header1.xml": page.header(),
            "word/footer1.xml": page.footer(),
            **properties(laid),
        }
    )


def counts_alike(lines: Iterable[object]) -> bool:
    """Whether a word processor that counts 1, 1.1, 1.2, 2 and (a), (b) would print the numbers that the clauses bear."""
    counter = [0, 0, 0]
    for line in lines:
        if not isinstance(line, Numbered):
            continue
        parts = line.number.rstrip(".").split(".")
        if len(parts) > 3 or line.number.endswith("."):
            return False
        level = len(parts) - 1
        counter[level] += 1
        counter[level + 1 :] = [0] * (2 - level)
        if [str(n) for n in counter[: level + 1]] != parts:
            return False
        if [label for label, _ in line.sub] != _LETTERED[: len(line.sub)]:
            return False
    return True


class _Page:
    """Writes the parts of one paper. `restarts` is how many lists of lettered paragraphs begin anew."""

    def __init__(self, laid: Laid, rng: random.Random) -> None:
        self.laid = laid
        self.body, self.head, self.size = rng.choice(_FONTS)
        self.colour = rng.choice(_COLOURS)
        self.native = rng.random() < 0.5 and counts_alike(laid.lines)
        self.stacked = rng.random() < 0.35
        self.justified = rng.random() < 0.5
        self.centred = rng.random() < 0.6
        self.margin = rng.choice((1134, 1304, 1440, 1440))
        self.grid = rng.random() < 0.7
        self.letter = rng.random() < 0.8
        self.restarts = 0
        self._changes = 0

    # --- the text -------------------------------------------------------------------------------------------------------------

    def document(self) -> str:
        out = [_p(_r(self.laid.title), "Title")]
        for line in self.laid.lines:
            match line:
                case Numbered():
                    self._clause(line, out)
                case Para(text):
                    out.append(_p(_r(text)))
                case Heading(text):
                    out.append(_p(_r(text), "Heading1"))
                case Change():
                    out.append(self._change(line))
                case Table():
                    self._table(line, out)
                case Signatures(lines):
                    self._signatures(lines, out)
        width, height = (12240, 15840) if self.letter else (11906, 16838)
        section = (
            '<w:sectPr><w:headerReference w:type="default" r:id="rId4"/><w:footerReference w:type="default" r:id="rId5"/>'
            f'<w:pgSz w:w="{width}" w:h="{height}"/><w:pgMar w:top="1440" w:right="{self.margin}" w:bottom="1304" w:left="{self.margin}" '
            'w:header="709" w:footer="567" w:gutter="0"/></w:sectPr>'
        )
        return f"{HEAD}<w:document {_NAMESPACES}><w:body>{''.join(out)}{section}</w:body></w:document>"

    def _clause(self, clause: Numbered, out: list[str]) -> None:
        level = min(clause.number.rstrip(".").count("."), 2)
        if self.native:
            number, properties_ = "", f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>'
        else:
            number, properties_ = f"<w:r><w:t>{escaped(printed(clause.number))}</w:t><w:tab/></w:r>", ""
        style = f"Clause{level + 1}"
        heading = clause.heading
        if not clause.text:
            out.append(_p(number + _r(heading, "<w:b/>"), style, "<w:keepNext/>" + properties_))
        elif heading and self.stacked:
            out.append(_p(number + _r(heading, "<w:b/>"), style, "<w:keepNext/>" + properties_))
            out.append(_p(_r(clause.text), "ClauseText"))
        elif heading:
            stop = "" if heading[-1:] in ".:?!" else "."
            out.append(_p(number + _r(f"{heading}{stop}", "<w:b/>") + _r(" " + clause.text), style, properties_))
        else:
            out.append(_p(number + _r(clause.text), style, properties_))
        if clause.sub and self.native:
            self.restarts += 1
            listed = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{self.restarts + 1}"/></w:numPr>'
            out += [_p(_r(text), "SubClause", listed) for _, text in clause.sub]
        else:
            out += [
                _p(f"<w:r><w:t>{escaped(label)}</w:t><w:tab/></w:r>{_r(text)}", "SubClause")
                for label, text in clause.sub
            ]

    def _change(self, line: Change) -> str:
        author = escaped(line.author or self.laid.author)
        day = f' w:date="{moment(self.laid.day)}"' if self.laid.day else ""
        out = [_r(line.lead)]
        for tag, kind, text in (("del", "delText", line.before), ("ins", "t", line.after)):
            if text:
                self._changes += 1
                run = f'<w:r><w:{kind} xml:space="preserve">{escaped(text)}</w:{kind}></w:r>'
                out.append(f'<w:{tag} w:id="{self._changes}" w:author="{author}"{day}>{run}</w:{tag}>')
        return _p("".join(out) + _r(line.tail))

    def _table(self, table: Table, out: list[str]) -> None:
        if table.caption:
            out.append(_p(_r(table.caption), "Caption"))
        columns = max([len(table.header), *(len(row.cells) for row in table.rows)], default=0)
        if not columns:
            return
        texts = [[shown(cell) for cell in row.cells] for row in table.rows]
        total = (12240 if self.letter else 11906) - 2 * self.margin
        widths = _widths(table.header, texts, columns, total)
        grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
        style = "Grid" if self.grid else "Lines"
        out.append(
            f'<w:tbl><w:tblPr><w:tblStyle w:val="{style}"/><w:tblW w:w="{total}" w:type="dxa"/><w:tblLayout w:type="fixed"/>'
            f'<w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
        )
        if table.header:
            head = [*table.header, *[""] * (columns - len(table.header))]
            cells = "".join(
                _tc(_p(_r(text, "<w:b/>"), "TableText"), width) for text, width in zip(head, widths, strict=True)
            )
            out.append(f"<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>{cells}</w:tr>")
        for row, words in zip(table.rows, texts, strict=True):
            cells = ""
            for at, width in enumerate(widths):
                text = words[at] if at < len(words) else ""
                number = at < len(words) and isinstance(row.cells[at], int | float)
                cells += _tc(_p(_r(text), "TableText", '<w:jc w:val="right"/>' if number else ""), width)
            out.append(f"<w:tr><w:trPr><w:cantSplit/></w:trPr>{cells}</w:tr>")
        out.append("</w:tbl>" + _p("", "TableText"))

    def _signatures(self, lines: tuple[Sign, ...], out: list[str]) -> None:
        out.append(_p("", "SignText"))
        for start in range(0, len(lines), 2):
            pair = lines[start : start + 2]
            width = ((12240 if self.letter else 11906) - 2 * self.margin) // 2
            cells = "".join(_tc("".join(_signature(line)), width) for line in pair)
            grid = f'<w:gridCol w:w="{width}"/>' * len(pair)
            out.append(
                f'<w:tbl><w:tblPr><w:tblW w:w="{width * len(pair)}" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
                f"<w:tr><w:trPr><w:cantSplit/></w:trPr>{cells}</w:tr></w:tbl>{_p('', 'SignText')}"
            )

    # --- around it ------------------------------------------------------------------------------------------------------------

    def header(self) -> str:
        status = self.laid.status.upper()
        mark = _watermark(status) if status == "DRAFT" else ""
        words = [text for text in (status, self.laid.title) if text]
        return f"{HEAD}<w:hdr {_NAMESPACES}>{_p(mark + _r(' – '.join(words)), 'Header')}</w:hdr>"

    def footer(self) -> str:
        who = self.laid.parties[0] if self.laid.parties else ""
        fields = _field("PAGE") + _r(" of ") + _field("NUMPAGES")
        return (
            f"{HEAD}<w:ftr {_NAMESPACES}>{_p(_r(who) + '<w:r><w:tab/></w:r>' + _r('Page ') + fields, 'Footer')}</w:ftr>"
        )

    def styles(self) -> str:
        size, justify = self.size, '<w:jc w:val="both"/>' if self.justified else ""
        right = (12240 if self.letter else 11906) - 2 * self.margin
        face = f'<w:rFonts w:ascii="{self.body}" w:hAnsi="{self.body}" w:cs="{self.body}"/>'
        bold = f'<w:rFonts w:ascii="{self.head}" w:hAnsi="{self.head}" w:cs="{self.head}"/><w:b/><w:color w:val="{self.colour}"/>'
        small = f'<w:sz w:val="{size - 4}"/>'
        title = f'<w:jc w:val="{"center" if self.centred else "left"}"/>'
        tab = '<w:tabs><w:tab w:val="left" w:pos="{0}"/></w:tabs><w:ind w:left="{0}" w:hanging="{1}"/>'
        spaced = '<w:spacing w:after="120" w:line="264" w:lineRule="auto"/>'
        return (
            f"{HEAD}<w:styles {_NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr>{face}"
            f'<w:sz w:val="{size}"/><w:szCs w:val="{size}"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>'
            + _style("Normal", "Normal", f"{spaced}{justify}", default=True)
            + _style(
                "Title",
                "Title",
                f'<w:keepNext/><w:spacing w:before="120" w:after="320"/>{title}',
                f'{bold}<w:sz w:val="{size + 10}"/>',
            )
            + _style(
                "Heading1",
                "heading 1",
                '<w:keepNext/><w:spacing w:before="280" w:after="120"/><w:jc w:val="left"/><w:outlineLvl w:val="0"/>',
                f'{bold}<w:sz w:val="{size + 4}"/>',
            )
            + _style("Clause1", "Clause 1", f"{tab.format(720, 720)}")
            + _style("Clause2", "Clause 2", f"{tab.format(720, 720)}")
            + _style("Clause3", "Clause 3", f"{tab.format(1440, 720)}")
            + _style("ClauseText", "Clause Text", '<w:ind w:left="720"/>')
            + _style("SubClause", "Sub Clause", f"{tab.format(1296, 576)}")
            + _style(
                "Caption",
                "caption",
                '<w:keepNext/><w:spacing w:before="160" w:after="80"/><w:jc w:val="left"/>',
                f"<w:b/>{small}",
            )
            + _style(
                "TableText",
                "Table Text",
                '<w:spacing w:before="30" w:after="30" w:line="240" w:lineRule="auto"/><w:jc w:val="left"/>',
                small,
            )
            + _style(
                "SignText", "Signature Text", '<w:keepNext/><w:spacing w:before="60" w:after="60"/><w:jc w:val="left"/>'
            )
            + _style(
                "Header",
                "header",
                '<w:spacing w:after="0"/><w:jc w:val="right"/>',
                f'<w:color w:val="606060"/><w:sz w:val="{size - 6}"/>',
            )
            + _style(
                "Footer",
                "footer",
                f'<w:tabs><w:tab w:val="right" w:pos="{right}"/></w:tabs><w:spacing w:after="0"/><w:jc w:val="left"/>',
                f'<w:color w:val="606060"/><w:sz w:val="{size - 6}"/>',
            )
            + _table_style("Grid", "Table Grid", ("top", "left", "bottom", "right", "insideH", "insideV"))
            + _table_style("Lines", "Table Lines", ("top", "bottom", "insideH"))
            + "</w:styles>"
        )


def _p(runs: str, style: str = "", more: str = "") -> str:
    if not style:
        return f"<w:p>{runs}</w:p>"
    keep = "<w:keepNext/>" if more.startswith("<w:keepNext/>") else ""
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{keep}{more[len(keep) :]}</w:pPr>{runs}</w:p>'


def _r(text: str, look_: str = "") -> str:
    if not text:
        return ""
    given = f"<w:rPr>{look_}</w:rPr>" if look_ else ""
    return f'<w:r>{given}<w:t xml:space="preserve">{escaped(text)}</w:t></w:r>'


def _tc(inside: str, width: int) -> str:
    return f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>{inside}</w:tc>'


def _field(name: str) -> str:
    return f'<w:fldSimple w:instr=" {name} "><w:r><w:t>1</w:t></w:r></w:fldSimple>'


def _signature(line: Sign) -> list[str]:
    blank = "_" * 28
    signed = line.signed and bool(line.name)
    out = [
        _p(_r(line.party, "<w:b/>"), "SignText"),
        _p(_r(f"By: /s/ {line.name}" if signed else f"By: {blank}"), "SignText"),
    ]
    out.append(_p(_r(f"Name: {line.name or blank}"), "SignText"))
    out.append(_p(_r(f"Title: {line.title or blank}"), "SignText"))
    if line.day or not signed:
        out.append(_p(_r(f"Date: {us_date(line.day) if line.day else blank}"), "SignText"))
    return out


def _widths(header: tuple[str, ...], texts: list[list[str]], columns: int, total: int) -> list[int]:
    """Widths of the columns in twentieths of a point, by the length of what stands in them."""
    need = [8.0] * columns
    for row in ([*header], *texts[:60]):
        for at, text in enumerate(row):
            need[at] = max(need[at], min(len(text), 46))
    whole = sum(need)
    return [int(total * part / whole) for part in need]


def _style(key: str, name: str, paragraph: str, run: str = "", *, default: bool = False) -> str:
    based = "" if default else '<w:basedOn w:val="Normal"/>'
    mark = ' w:default="1"' if default else ""
    shape = f"<w:rPr>{run}</w:rPr>" if run else ""
    return f'<w:style w:type="paragraph"{mark} w:styleId="{key}"><w:name w:val="{name}"/>{based}<w:qFormat/><w:pPr>{paragraph}</w:pPr>{shape}</w:style>'


def _table_style(key: str, name: str, edges: tuple[str, ...]) -> str:
    borders = "".join(f'<w:{edge} w:val="single" w:sz="4" w:space="0" w:color="A0A0A0"/>' for edge in edges)
    return (
        f'<w:style w:type="table" w:styleId="{key}"><w:name w:val="{name}"/><w:tblPr><w:tblBorders>{borders}</w:tblBorders>'
        '<w:tblCellMar><w:left w:w="85" w:type="dxa"/><w:right w:w="85" w:type="dxa"/></w:tblCellMar></w:tblPr>'
        '<w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="E7E6E6"/></w:tcPr></w:tblStylePr></w:style>'
    )


def _level(index: int, form: str, text: str, left: int, hanging: int) -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{left}" w:hanging="{hanging}"/></w:pPr></w:lvl>'
    )


def _numbering(restarts: int) -> str:
    clauses = (
        _level(0, "decimal", "%1.", 720, 720)
        + _level(1, "decimal", "%1.%2", 720, 720)
        + _level(2, "decimal", "%1.%2.%3", 1440, 720)
    )
    letters = _level(0, "lowerLetter", "(%1)", 1296, 576)
    again = "".join(
        f'<w:num w:numId="{n + 2}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        for n in range(restarts)
    )
    return (
        f'{HEAD}<w:numbering {_NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="multilevel"/>{clauses}</w:abstractNum>'
        f'<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="singleLevel"/>{letters}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{again}</w:numbering>'
    )


def _watermark(text: str) -> str:
    return (
        '<w:r><w:pict><v:shapetype id="_x0000_t136" coordsize="21600,21600" o:spt="136" adj="10800" path="m@7,l@8,m@5,21600l@6,21600e">'
        '<v:formulas><v:f eqn="sum #0 0 10800"/><v:f eqn="prod #0 2 1"/><v:f eqn="sum 21600 0 @1"/><v:f eqn="sum 0 0 @2"/><v:f eqn="sum 21600 0 @3"/>'
        '<v:f eqn="if @0 @3 0"/><v:f eqn="if @0 21600 @1"/><v:f eqn="if @0 0 @2"/><v:f eqn="if @0 @4 21600"/></v:formulas>'
        '<v:path textpathok="t" o:connecttype="rect"/><v:textpath on="t" fitshape="t"/></v:shapetype>'
        '<v:shape id="Watermark" type="#_x0000_t136" style="position:absolute;margin-left:0;margin-top:0;width:420pt;height:140pt;rotation:315;z-index:-251658752;'
        'mso-position-horizontal:center;mso-position-horizontal-relative:margin;mso-position-vertical:center;mso-position-vertical-relative:margin" '
        f'fillcolor="silver" stroked="f"><v:fill opacity=".5"/><v:textpath style="font-family:&quot;Calibri&quot;;font-size:1pt" string="{text}"/>'
        "</v:shape></w:pict></w:r>"
    )
