"""A paper as slides: a title, a slide for each heading with its points, tables, and what is too long for a slide in the notes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from redwell.bench.generate import render_txt
from redwell.bench.generate.laid import Laid, Numbered, shown
from redwell.bench.generate.papers import Change, Heading, Para, Signatures, Table
from redwell.bench.generate.parts import (
    CORE_TYPE,
    HEAD,
    OFFICE,
    content_types,
    escaped,
    look,
    properties,
    relationships,
    root_links,
    zipped,
)
from redwell.bench.generate.render_theme import COLOURS, theme
from redwell.bench.generate.writing import month_year

_SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    f'xmlns:r="{OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_SLIDES = "officedocument.presentationml."
_WIDE, _HIGH = 12192000, 6858000  # of a slide, in EMU
_POINTS, _CHARACTERS, _ROWS = 6, 900, 12  # that a slide takes
_NOTE = 420  # characters of a paragraph from which it is said and not shown
_GROUP = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/>'
    '<a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)


@dataclass(slots=True)
class _Slide:
    title: str
    points: list[str] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    caption: str = ""
    headed: bool = False
    notes: list[str] = field(default_factory=list)


def render(laid: Laid) -> bytes:
    """The file's bytes."""
    rng = look(laid, "pptx")
    slides = _slides(laid)
    colours = rng.choice(COLOURS)
    types = {
        "ppt/presentation.xml": f"{_SLIDES}presentation.main",
        "ppt/slideMasters/slideMaster1.xml": f"{_SLIDES}slideMaster",
        "ppt/slideLayouts/slideLayout1.xml": f"{_SLIDES}slideLayout",
        "ppt/slideLayouts/slideLayout2.xml": f"{_SLIDES}slideLayout",
        "ppt/notesMasters/notesMaster1.xml": f"{_SLIDES}notesMaster",
        "ppt/theme/theme1.xml": "officedocument.theme",
        "ppt/theme/theme2.xml": "officedocument.theme",
        **CORE_TYPE,
    }
    parts: dict[str, str | bytes] = {}
    numbers = range(1, len(slides) + 2)
    for number, slide in enumerate([None, *slides], 1):
        types[f"ppt/slides/slide{number}.xml"] = f"{_SLIDES}slide"
        links = [("rId1", "slideLayout", f"../slideLayouts/slideLayout{1 if slide is None else 2}.xml")]
        parts[f"ppt/slides/slide{number}.xml"] = (
            _title(laid) if slide is None else _content(slide, number, colours, laid)
        )
        if slide is not None and slide.notes:
            types[f"ppt/notesSlides/notesSlide{number}.xml"] = f"{_SLIDES}notesSlide"
            links.append(("rId2", "notesSlide", f"../notesSlides/notesSlide{number}.xml"))
            parts[f"ppt/notesSlides/notesSlide{number}.xml"] = _notes(slide)
            parts[f"ppt/notesSlides/_rels/notesSlide{number}.xml.rels"] = relationships(
                [
                    ("rId1", "notesMaster", "../notesMasters/notesMaster1.xml"),
                    ("rId2", "slide", f"../slides/slide{number}.xml"),
                ]
            )
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relationships(links)
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="rId{n + 2}"/>' for n in numbers)
    deck = (
        f'{HEAD}<p:presentation {_SPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>'
        f'<p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>{listed}</p:sldIdLst>'
        f'<p:sldSz cx="{_WIDE}" cy="{_HIGH}"/><p:notesSz cx="{_HIGH}" cy="9144000"/></p:presentation>'
    )
    return zipped(
        {
            "[Content_Types].xml": content_types(types),
            "_rels/.rels": root_links("ppt/presentation.xml"),
            "ppt/presentation.xml": deck,
            "ppt/_rels/presentation.xml.rels": relationships(
                [
                    ("rId1", "slideMaster", "slideMasters/slideMaster1.xml"),
                    ("rId2", "notesMaster", "notesMasters/notesMaster1.xml"),
                    *((f"rId{n + 2}", "slide", f"slides/slide{n}.xml") for n in numbers),
                    (f"rId{len(slides) + 4}", "theme", "theme/theme1.xml"),
                ]
            ),
            **_frame(colours, rng),
            **parts,
            **properties(laid),
        }
    )


def _slides(laid: Laid) -> list[_Slide]:
    slides: list[_Slide] = []

    def current(fresh: bool) -> _Slide:
        if not slides or fresh:
            slides.append(_Slide(slides[-1].title if slides else laid.title))
        return slides[-1]

    for line in laid.lines:
        match line:
            case Heading(text):
                slides.append(_Slide(text))
            case Table():
                rows = [[shown(cell) for cell in row.cells] for row in line.rows]
                head = [list(line.header)] if line.header else []
                for start in range(0, max(1, len(rows)), _ROWS):
                    now = current(bool(slides and (slides[-1].points or slides[-1].table)))
                    now.table, now.caption, now.headed = head + rows[start : start + _ROWS], line.caption, bool(head)
            case Signatures():
                _point(current, ["; ".join(part) for part in render_txt.signatures(line)])
            case Numbered():
                _point(current, [render_txt.clause(line), *(f"{label} {text}" for label, text in line.sub)])
            case Para(text):
                _point(current, [text])
            case Change():
                _point(current, [line.lead + line.after + line.tail])
    return slides


def _point(current: Callable[[bool], _Slide], texts: list[str]) -> None:
    """Puts texts on the slide at hand: as points while there is room, in its notes when they are long and the slide has something to show."""
    for text in texts:
        now = current(False)
        if len(text) >= _NOTE and (now.points or now.table):
            now.notes.append(text)
            continue
        full = len(now.points) >= _POINTS or sum(map(len, now.points)) + len(text) > _CHARACTERS
        if now.table or (full and now.points):
            now = current(True)
        now.points.append(text)


# --- a slide ------------------------------------------------------------------------------------------------------------------


def _slide(shapes: str, tag: str = "sld", kind: str = "", name: str = "") -> str:
    """A slide, a page of notes, or a layout of that kind and name."""
    typed, named = (f' type="{kind}"', f' name="{name}"') if kind else ("", "")
    return (
        f"{HEAD}<p:{tag} {_SPACES}{typed}><p:cSld{named}><p:spTree>{_GROUP}{shapes}</p:spTree></p:cSld>"
        f"<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:{tag}>"
    )


def _shape(number: int, name: str, place: str, body: str, box: tuple[int, int, int, int] | None = None) -> str:
    at = ""
    if box:
        at = f'<a:xfrm><a:off x="{box[0]}" y="{box[1]}"/><a:ext cx="{box[2]}" cy="{box[3]}"/></a:xfrm>'
        at += '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
    holder = f"<p:nvPr>{f'<p:ph {place}/>' if place else ''}</p:nvPr>"
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="{name}"/><p:cNvSpPr/>{holder}</p:nvSpPr><p:spPr>{at}</p:spPr>'
        f"<p:txBody><a:bodyPr/><a:lstStyle/>{body}</p:txBody></p:sp>"
    )


def _lines(texts: list[str], size: int = 0) -> str:
    given = f' sz="{size}"' if size else ""
    return (
        "".join(f'<a:p><a:r><a:rPr lang="en-US"{given}/><a:t>{escaped(text)}</a:t></a:r></a:p>' for text in texts)
        or "<a:p/>"
    )


def _title(laid: Laid) -> str:
    below = [
        text for text in (laid.status.upper(), *laid.parties[:2], month_year(laid.day) if laid.day else "") if text
    ]
    return _slide(
        _shape(2, "Title", 'type="ctrTitle"', _lines([laid.title]))
        + _shape(3, "Subtitle", 'type="subTitle" idx="1"', _lines(below))
    )


def _content(slide: _Slide, number: int, colours: tuple[str, ...], laid: Laid) -> str:
    shapes = _shape(2, "Title", 'type="title"', _lines([slide.title]))
    if slide.table:
        if slide.caption:
            shapes += _shape(3, "Caption", "", _lines([slide.caption], 1400), (609600, 1280000, 10972800, 400000))
        shapes += _table(slide, colours)
    else:
        whole = sum(map(len, slide.points))
        size = 2000 if whole < 350 else 1600 if whole < 700 else 1400 if whole < 1100 else 1100
        shapes += _shape(3, "Content", 'idx="1"', _lines(slide.points, size))
    shapes += _shape(
        9,
        "Number",
        'type="sldNum" sz="quarter" idx="12"',
        f'<a:p><a:fld id="{{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}}" type="slidenum"><a:rPr lang="en-US"/><a:t>{number}</a:t></a:fld></a:p>',
    )
    return _slide(shapes)


def _table(slide: _Slide, colours: tuple[str, ...]) -> str:
    columns = max(map(len, slide.table))
    if not columns:
        return ""
    need = [max(6, *(min(len(row[at]), 48) if at < len(row) else 0 for row in slide.table)) for at in range(columns)]
    total = 10972800
    grid = "".join(f'<a:gridCol w="{total * part // sum(need)}"/>' for part in need)
    rows = ""
    for number, row in enumerate(slide.table):
        head = number == 0 and slide.headed
        ink = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>' if head else ""
        fill = colours[0] if head else ("FFFFFF" if number % 2 else "F2F2F2")
        cells = ""
        for at in range(columns):
            text = escaped(row[at]) if at < len(row) else ""
            run = (
                f'<a:r><a:rPr lang="en-US" sz="1100"{" b=" + chr(34) + "1" + chr(34) if head else ""}>{ink}</a:rPr><a:t>{text}</a:t></a:r>'
                if text
                else ""
            )
            cells += (
                f'<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p>{run}</a:p></a:txBody><a:tcPr marL="60000" marR="60000" marT="30000" marB="30000">'
                f'<a:solidFill><a:srgbClr val="{fill}"/></a:solidFill></a:tcPr></a:tc>'
            )
        rows += f'<a:tr h="320000">{cells}</a:tr>'
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Table"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        f'<p:xfrm><a:off x="609600" y="1700000"/><a:ext cx="{total}" cy="{320000 * len(slide.table)}"/></p:xfrm><a:graphic>'
        f'<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr{" firstRow=" + chr(34) + "1" + chr(34) if slide.headed else ""}/><a:tblGrid>{grid}</a:tblGrid>{rows}'
        "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def _notes(slide: _Slide) -> str:
    picture = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr>'
        '<p:nvPr><p:ph type="sldImg"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>'
    )
    return _slide(picture + _shape(3, "Notes", 'type="body" idx="1"', _lines(slide.notes)), "notes")


# --- master, layouts, notes master --------------------------------------------------------------------------------------------


def _frame(colours: tuple[str, ...], rng: random.Random) -> dict[str, str]:
    bar = rng.random() < 0.6
    band = (
        '<p:sp><p:nvSpPr><p:cNvPr id="20" name="Band"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr><p:spPr>'
        f'<a:xfrm><a:off x="0" y="0"/><a:ext cx="{_WIDE if bar else 230000}" cy="{150000 if bar else _HIGH}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr>'
        "<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )
    title_box, body_box = (609600, 380000, 10972800, 900000), (609600, 1450000, 10972800, 4700000)
    empty = "<a:p/>"
    number = _shape(6, "Number", 'type="sldNum" sz="quarter" idx="12"', empty, (8763000, 6356350, 2743200, 365125))
    master_shapes = (
        band
        + _shape(2, "Title", 'type="title"', empty, title_box)
        + _shape(3, "Text", 'type="body" idx="1"', empty, body_box)
        + number
    )
    level = '<a:lvl{0}pPr marL="{1}" indent="-{2}"><a:spcBef><a:spcPts val="800"/></a:spcBef><a:buFont typeface="Arial"/><a:buChar char="•"/><a:defRPr sz="2000"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/></a:defRPr></a:lvl{0}pPr>'
    styles = (
        '<p:txStyles><p:titleStyle><a:lvl1pPr><a:defRPr sz="2800" b="1"><a:solidFill><a:schemeClr val="accent1"/></a:solidFill><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr></p:titleStyle>'
        f'<p:bodyStyle>{level.format(1, 285750, 285750)}</p:bodyStyle><p:otherStyle><a:lvl1pPr><a:defRPr sz="1200"/></a:lvl1pPr></p:otherStyle></p:txStyles>'
    )
    colour_map = '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
    ground = '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'
    master = (
        f"{HEAD}<p:sldMaster {_SPACES}><p:cSld>{ground}<p:spTree>{_GROUP}{master_shapes}</p:spTree></p:cSld>{colour_map}"
        '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/><p:sldLayoutId id="2147483650" r:id="rId2"/></p:sldLayoutIdLst>'
        f"{styles}</p:sldMaster>"
    )
    title_layout = _shape(2, "Title", 'type="ctrTitle"', empty, (914400, 2000000, 10363200, 1500000)) + _shape(
        3, "Subtitle", 'type="subTitle" idx="1"', empty, (914400, 3600000, 10363200, 1400000)
    ).replace(
        "<a:lstStyle/>",
        '<a:lstStyle><a:lvl1pPr marL="0" indent="0"><a:buNone/><a:defRPr sz="2000"/></a:lvl1pPr></a:lstStyle>',
    )
    text_layout = (
        _shape(2, "Title", 'type="title"', empty)
        + _shape(3, "Content", 'idx="1"', empty)
        + _shape(6, "Number", 'type="sldNum" sz="quarter" idx="12"', empty)
    )
    notes_shapes = _shape(3, "Notes", 'type="body" idx="1"', empty, (685800, 4400550, 5486400, 3600450))
    notes = (
        f"{HEAD}<p:notesMaster {_SPACES}><p:cSld>{ground}<p:spTree>{_GROUP}"
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Slide"/><p:cNvSpPr><a:spLocks noGrp="1" noRot="1" noChangeAspect="1"/></p:cNvSpPr><p:nvPr><p:ph type="sldImg" idx="2"/></p:nvPr></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="685800" y="1143000"/><a:ext cx="5486400" cy="3086100"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:sp>'
        f"{notes_shapes}</p:spTree></p:cSld>{colour_map}</p:notesMaster>"
    )
    to_master = relationships([("rId1", "slideMaster", "../slideMasters/slideMaster1.xml")])
    return {
        "ppt/slideMasters/slideMaster1.xml": master,
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": relationships(
            [
                ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml"),
                ("rId2", "slideLayout", "../slideLayouts/slideLayout2.xml"),
                ("rId3", "theme", "../theme/theme1.xml"),
            ]
        ),
        "ppt/slideLayouts/slideLayout1.xml": _slide(title_layout, "sldLayout", "title", "Title Slide"),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": to_master,
        "ppt/slideLayouts/slideLayout2.xml": _slide(text_layout, "sldLayout", "obj", "Title and Content"),
        "ppt/slideLayouts/_rels/slideLayout2.xml.rels": to_master,
        "ppt/notesMasters/notesMaster1.xml": notes,
        "ppt/notesMasters/_rels/notesMaster1.xml.rels": relationships([("rId1", "theme", "../theme/theme2.xml")]),
        "ppt/theme/theme1.xml": theme(colours),
        "ppt/theme/theme2.xml": theme(colours),
    }
