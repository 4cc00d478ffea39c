"""The colours and type faces of a presentation."""

from __future__ import annotations

from redwell.bench.generate.parts import HEAD

COLOURS = (
    ("1F3864", "2E75B6", "A5A5A5", "C55A11", "7F7F7F", "44546A"),
    ("1E4D4A", "3A8F85", "B7B7A4", "BC6C25", "6C757D", "283618"),
    ("7B2C2C", "B5651D", "8D99AE", "2B2D42", "6C757D", "5C4742"),
    ("343A40", "0B7285", "868E96", "E8590C", "5C7CFA", "495057"),
)
"""Six accents each, the first that of titles and heads of tables."""


def theme(colours: tuple[str, ...]) -> str:
    """A theme with these accents."""
    accents = "".join(f'<a:accent{n}><a:srgbClr val="{colour}"/></a:accent{n}>' for n, colour in enumerate(colours, 1))
    fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
    line = f'<a:ln w="6350">{fill}</a:ln>'
    effect = "<a:effectStyle><a:effectLst/></a:effectStyle>"
    face = '<a:latin typeface="{0}"/><a:ea typeface=""/><a:cs typeface=""/>'
    return (
        f'{HEAD}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Company"><a:themeElements><a:clrScheme name="Company">'
        '<a:dk1><a:srgbClr val="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="333333"/></a:dk2><a:lt2><a:srgbClr val="EEEEEE"/></a:lt2>'
        f'{accents}<a:hlink><a:srgbClr val="0563C1"/></a:hlink><a:folHlink><a:srgbClr val="954F72"/></a:folHlink></a:clrScheme>'
        f'<a:fontScheme name="Company"><a:majorFont>{face.format("Calibri")}</a:majorFont><a:minorFont>{face.format("Calibri")}</a:minorFont></a:fontScheme>'
        f'<a:fmtScheme name="Company"><a:fillStyleLst>{fill * 3}</a:fillStyleLst><a:lnStyleLst>{line * 3}</a:lnStyleLst>'
        f"<a:effectStyleLst>{effect * 3}</a:effectStyleLst><a:bgFillStyleLst>{fill * 3}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
    )
