"""Real footnotes for a python-docx document, which has no call for them: the part, its separators and the references."""

from __future__ import annotations

from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt
from lxml import etree

from redwell.diligence.docx_runs import add_run

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
SEPARATORS = (
    f"<w:footnotes {nsdecls('w')}>"
    '<w:footnote w:type="separator" w:id="-1"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr><w:r><w:separator/></w:r></w:p></w:footnote>'
    '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:pPr><w:spacing w:after="0"/></w:pPr>'
    "<w:r><w:continuationSeparator/></w:r></w:p></w:footnote></w:footnotes>"
)


class Footnotes:
    """Collects notes and writes them as the document's footnotes part when `finish` is called."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.root = etree.fromstring(SEPARATORS)
        self.count = 0
        style = document.styles.add_style("Footnote Text", 1)
        style.base_style, style.font.size = document.styles["Normal"], Pt(8)
        style.paragraph_format.space_after = Pt(1)
        self.style = style.style_id

    def add(self, paragraph: Any, text: str) -> int:
        """Appends a reference to a paragraph element (w:p) and its note; returns the note's printed number."""
        self.count += 1
        reference = etree.SubElement(add_run(paragraph, raised=True), qn("w:footnoteReference"))
        reference.set(qn("w:id"), str(self.count))

        note = etree.SubElement(self.root, qn("w:footnote"))
        note.set(qn("w:id"), str(self.count))
        body = etree.SubElement(note, qn("w:p"))
        properties = etree.SubElement(body, qn("w:pPr"))
        etree.SubElement(properties, qn("w:pStyle")).set(qn("w:val"), self.style)
        mark = etree.SubElement(body, qn("w:r"))
        raised = etree.SubElement(etree.SubElement(mark, qn("w:rPr")), qn("w:vertAlign"))
        raised.set(qn("w:val"), "superscript")
        etree.SubElement(mark, qn("w:footnoteRef"))
        words = etree.SubElement(etree.SubElement(body, qn("w:r")), qn("w:t"))
        words.text = " " + text
        words.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        return self.count

    def finish(self) -> None:
        content = etree.tostring(self.root, xml_declaration=True, encoding="UTF-8", standalone=True)
        package = self.document.part.package
        part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE, content, package)
        self.document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
