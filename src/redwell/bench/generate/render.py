"""A laid paper as the bytes of a file."""

from __future__ import annotations

from redwell.bench.generate import render_docx, render_eml, render_pdf, render_pptx, render_txt, render_xlsx
from redwell.bench.generate.laid import Laid, LaidKind

ENDINGS: dict[LaidKind, str] = {
    "docx": ".docx",
    "xlsx": ".xlsx",
    "eml": ".eml",
    "pptx": ".pptx",
    "txt": ".txt",
    "pdf": ".pdf",
    "scan": ".pdf",
}


def render(laid: Laid) -> bytes:
    """The file that the paper becomes; the same paper gives the same bytes."""
    match laid.kind:
        case "docx":
            return render_docx.render(laid)
        case "xlsx":
            return render_xlsx.render(laid)
        case "eml":
            return render_eml.render(laid, render)
        case "pptx":
            return render_pptx.render(laid)
        case "txt":
            return render_txt.render(laid)
        case "pdf":
            return render_pdf.render(laid)
        case "scan":
            return render_pdf.scan(laid)
