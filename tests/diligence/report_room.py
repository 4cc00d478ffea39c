"""A small real room for the tests of the report."""

from pathlib import Path

from redwell.diligence.report import Cited
from redwell.room.room import Room, read_room

LEASE = (
    "LEASE\n\n1. Rent\n\n1.1 Tenant shall pay base rent of $52,000 per month.\n\n2. Assignment\n\n"
    "2.1 Tenant shall not assign this Lease without Landlord's prior written consent.\n"
)
LETTER = "Landlord's letter of 3 March 2026\n\nWe have not been asked for any consent to an assignment of the Lease.\n"
HOSTILE = 'Notice\n\nThe supplier\'s <script>alert(1)</script> name is =HYPERLINK("http://evil.example") | `code` *bold* and ends here.\n'


def make_room(folder: Path) -> Room:
    papers = folder / "papers"
    (papers / "8.0 Property").mkdir(parents=True)
    (papers / "8.0 Property" / "lease.txt").write_text(LEASE, encoding="utf-8")
    (papers / "8.0 Property" / "letter.txt").write_text(LETTER, encoding="utf-8")
    (papers / "notice.txt").write_text(HOSTILE, encoding="utf-8")
    read_room(papers, folder / "store", jobs=1)
    return Room.open(folder / "store")


def cited(room: Room, name: str, quote: str) -> Cited:
    """A citation of words that stand in that document."""
    citation = room.check(quote, room.document(name).id)
    assert citation.holds
    return Cited(citation, room.place(citation.spans[0]))
