"""Characters that Word stores as a code in a symbol font, as the Unicode characters that they look like."""

from __future__ import annotations

_SYMBOL = {
    **dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)),
    **dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)),
    0xA2: "′",
    0xA3: "≤",
    0xA5: "∞",
    0xA7: "♣",
    0xAB: "↔",
    0xAC: "←",
    0xAE: "→",
    0xB0: "°",
    0xB1: "±",
    0xB2: "″",
    0xB3: "≥",
    0xB4: "×",
    0xB7: "•",
    0xB8: "÷",
    0xB9: "≠",
    0xBA: "≡",
    0xBB: "≈",
    0xBC: "…",
    0xD2: "®",
    0xD3: "©",
    0xD4: "™",
    0xD6: "√",
    0xE2: "®",
    0xE3: "©",
    0xE4: "™",
    0xE5: "∑",
}
_WINGDINGS = {
    0x6C: "●",
    0x6E: "■",
    0x6F: "☐",
    0x71: "❑",
    0x72: "❒",
    0x76: "❖",
    0x78: "☒",
    0xA1: "○",
    0xA7: "▪",
    0xA8: "☐",
    0xD8: "➢",
    0xE0: "→",
    0xE8: "→",
    0xF0: "⇨",
    0xFB: "✗",
    0xFC: "✓",
    0xFD: "☒",
    0xFE: "☑",
}
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA3: "☐"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}


def symbol(font: str, code: int) -> str:
    """The character for a code of a symbol font (with or without Word's offset of 0xF000).

    A code that the font's table lacks becomes its ASCII character where it has one, else "•" (something is printed there).
    """
    low = code - 0xF000 if 0xF000 <= code <= 0xF0FF else code
    table = _FONTS.get(font.strip().lower())
    if table is not None and low in table:
        return table[low]
    if low == code and (table is None or code > 0xFF):
        return chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF else ""
    return chr(low) if 0x20 <= low < 0x7F else "•"


def legible(text: str, font: str) -> str:
    """Text in which characters of the private area 0xF000-0xF0FF, left by symbol fonts, are replaced."""
    if not any("\uf000" <= character <= "\uf0ff" for character in text):
        return text
    return "".join(symbol(font or "symbol", ord(c)) if "\uf000" <= c <= "\uf0ff" else c for c in text)
