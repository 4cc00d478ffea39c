"""The data room itself: words that address its readers, hidden text, drafts and blanks, and what is referred to and not there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from redwell.diligence.archetypes.addressed import SHORTEST, addressed, in_metadata, in_name
from redwell.diligence.archetypes.base import Archetype, Clause, Hit, Issue, Values
from redwell.diligence.archetypes.case import Case, Doc, alike, bare
from redwell.diligence.archetypes.stakes import day_said, said, stake, where
from redwell.diligence.archetypes.words import money
from redwell.journal.shown import shown_line

_I = re.IGNORECASE


def _instruction(clause: Clause) -> Hit | None:
    found = addressed(clause.text)
    return Hit({}, clause.text[found[0][0] : found[0][1]]) if found else None


def _unconfirmed(clause: Clause) -> Hit | None:
    found = re.search(
        r"(?:has|have|is|are|was) (?:not|never) (?:yet )?(?:been )?(?:confirmed|verified|cleared|signed off|checked)\b[^.;|]{0,60}\b(?:statement|claim|number|figure|slide|point|wording|by (?:legal|counsel|finance))|(?:legal|counsel|finance|auditors?) (?:has|have) not (?:yet )?(?:confirmed|verified|cleared|signed off)|"
        r"do not (?:share|disclose)[^.;]{0,40}(?:buyer|bidder|purchaser|data room)",
        clause.text,
        _I,
    )
    return Hit({}, found[0]) if found and not re.search(r"\bshall\b", clause.text) else None


_SECURITY = re.compile(
    r"\b(?:SAFEs?|convertible notes?|warrants?|options? (?:to|over)|side letter|promissory note|phantom|profit interest|earn-?out)\b"
)


def names_security(finding: Any) -> bool:
    return bool(_SECURITY.search(" ".join(c.quote for c in finding.citations)))


def _hidden_security(case: Case) -> Iterator[Issue]:
    """Hidden words that speak of a security or a promise of shares: not a matter of the file, but of who owns the company."""
    for finding in list(case.left("hidden_text")):
        text = " ".join(c.quote for c in finding.citations)
        if id(finding) in case.used or not _SECURITY.search(text):
            continue
        doc = case.doc(finding)
        case.use(finding)
        sums = money(text)
        exposure: Values = {"not_quantified": "the hidden words name no sum"}
        if sums:
            amount, currency = max(sums)
            discount = re.search(r"(\d{1,2}) ?% discount", text)
            exposure = {
                "low": amount, "base": round(amount / (1 - int(discount[1]) / 100)) if discount else amount, "high": round(amount / (1 - int(discount[1]) / 100)) if discount else amount,
                "currency": currency, "of": f"{doc.name}: hidden security",
                "formula": f"what the instrument takes of the price: {case.money(amount)}" + (f" / (1 - {discount[1]} %)" if discount else ""),
            }  # fmt: skip
        yield Issue(
            "hidden_security", f"A hidden part of {doc.name} names a security that the table does not show"[:190],
            f"Text of {where(doc)} that a reader of the file does not see says: “{said(finding)}”", [finding, *case.of(doc, "fact:figure")[:2]], severity=case.grade(exposure.get("base"), unknown="High") if sums and case.deal.get("price") else "High",
            exposure=exposure,
        )  # fmt: skip


def struck(original: str, final: str) -> list[tuple[str, str]]:
    """(line of the original, words struck from it): what stands between the words that the line has in common with one of the final text.
    Less than three words are a correction and left out."""
    found = []
    kept = [line.split() for line in final.split("\n")]
    lines = set(final.split("\n"))
    for line in original.split("\n"):
        words = line.split()
        if line in lines or len(words) < 4:
            continue
        best: list[str] = words
        for other in kept:
            most = min(len(words), len(other))
            head = next((n for n in range(most) if words[n] != other[n]), most)
            tail = next((n for n in range(most - head) if words[-1 - n] != other[-1 - n]), most - head)
            gone = words[head : len(words) - tail]
            if (head or tail) and len(gone) < len(best):
                best = gone
        if len(best) >= 3:
            found.append((line, " ".join(best)))
    return found


def tracked(documents: Any, read: Any) -> Iterator[Issue]:
    """Words that tracked changes strike from a document. `read(document, view)` gives a view's text."""
    for document in documents:
        who = str(document.metadata.get("tracked_changes", ""))
        if not who:
            continue
        for line, words in struck(read(document, "original"), read(document, "final"))[:6]:
            author = who.split(" by ", 1)[-1].split(",")[0] if " by " in who else "someone"
            yield Issue(
                "tracked_deletion", f"{author} struck “{words[:90]}” from {document.name}"[:190],
                f"A tracked change in {document.name} ({who}) strikes the words “{words}” from: “{line}”", [(document.id, line)], severity="High",
                exposure={"not_quantified": "depends on whether what was struck is true"},
            )  # fmt: skip


def addressing(documents: Iterable[Any], known: Collection[str], read: Any) -> Iterator[Issue]:
    """Documents that address whoever reviews them, found in their texts, file names and what the files say of themselves, so that
    nothing rests on a model that has read them. Those in `known` (ids) are reported already for their text. `read(document, view)` gives a
    view's text: what a tracked change strikes still addresses whoever reads it."""
    for document in documents:
        text, name = read(document, "final") if document.length else "", shown_line(document.name)
        told = (
            [text[start:end] for start, end in addressed(text) if end - start >= SHORTEST]
            if document.id not in known
            else []
        )
        if not told and document.id not in known and document.metadata.get("tracked_changes"):
            struck_text = read(document, "original")
            told = [struck_text[start:end] for start, end in addressed(struck_text) if end - start >= SHORTEST]
        opening = next((line.strip() for line in text.split("\n") if len(line.strip()) >= SHORTEST), "")[:200]
        if told:
            hidden = [unit for unit in document.units if "hidden" in unit.flags]
            unseen = any(told[0] in unit.text or unit.text in told[0] for unit in hidden)
            yield Issue(
                "reviewer_instruction", f"A document tells its readers what to conclude: {name}"[:190],
                f"{name} says{' where a reader of the file does not see it' if unseen else ''}: “{told[0][:400]}”",
                [(document.id, words) for words in told], exposure={"not_quantified": "depends on what else the document says"},
            )  # fmt: skip
        said = [f"its name: “{shown_line(path)}”" for path in document.paths if in_name(path)]
        said += [f"its {key}: “{shown_line(value)[:300]}”" for key, value in in_metadata(document.metadata).items()]
        if said:
            whole = opening if len(opening) < 200 else opening.rsplit(" ", 1)[0]
            yield Issue(
                "reviewer_instruction", f"A file tells its readers what to conclude, outside its text: {name}"[:190],
                f"Not in the text of {name}, but in {'; in '.join(said[:4])}.", [(document.id, whole)] if whole else [],
                evidence="direct" if whole else "absence", searched="" if whole else "the names of all files and what they say of themselves",
                exposure={"not_quantified": "depends on what else the document says"},
            )  # fmt: skip


def _unsigned(case: Case) -> Iterator[Issue]:
    partly: list[Doc] = []
    blank: list[Doc] = []
    for doc in case.ordered():
        if not doc.is_contract or doc.form or doc.draft or not doc.blank or not doc.signatures:
            continue
        (partly if doc.signed else blank).append(doc)
    forms = [d for d in case.ordered() if d.is_contract and d.form and d.blank and not d.signed]
    for doc in blank[:8]:
        row = case.row_of(doc)
        worth = case.annual(doc)
        exposure: Values = (
            {
                "base": worth[0],
                "currency": case.currency,
                "of": stake(case, doc),
                "formula": f"one year of the contract: {worth[1]}",
            }
            if worth
            else {"not_quantified": "the document names no sum"}
        )
        yield Issue(
            "unsigned_contract", f"No signature on {doc.title or doc.name}: {case.counterparty(doc)}"[:190],
            f"The signature lines of {doc.title or doc.name} ({doc.name}) are blank in the copy in the room ({doc.blank} lines). It may not bind anyone.",
            [*doc.signatures[:1], *([row] if row is not None else [])], severity=case.grade(worth[0] if worth else None, float(row.values["share"]) if row is not None else None), exposure=exposure,
            searched=f"{len(case.docs)} documents for a signed copy",
        )  # fmt: skip
    rest = [*blank[8:], *partly]
    if rest:
        yield Issue(
            "unsigned_contract", f"{len(rest)} contract{'s are' if len(rest) > 1 else ' is'} not signed, or by some parties only",
            "Signature lines are blank in the copies in the room: " + "; ".join(f"{d.name} ({d.signed} signed, {d.blank} blank)" for d in rest[:40]) + ".",
            [d.signatures[0] for d in rest[:60]], severity="Medium", searched=f"{len(case.docs)} documents for signed copies",
            exposure={"not_quantified": "depends on which of them are relied on"},
        )  # fmt: skip
    if forms:
        yield Issue(
            "form_only", f"{len(forms)} agreement{'s are' if len(forms) > 1 else ' is'} in the room as a form only, not signed",
            "Only the form is here, no copy signed by a person: " + "; ".join(f"{d.title or d.name} ({d.name})" for d in forms[:20]) + ". Who signed it is not shown.",
            [d.signatures[0] for d in forms[:20] if d.signatures], severity="Medium" if any(d.family == "invention_assignment" for d in forms) else "Low", workstream="IP" if all(d.family == "invention_assignment" for d in forms) else "Data room integrity",
            searched=f"{len(case.docs)} documents for signed copies", exposure={"not_quantified": "depends on who signed"},
        )  # fmt: skip


def _drafts(case: Case) -> Iterator[Issue]:
    drafts = [d for d in case.ordered() if d.draft and d.fact is not None and d.family != "other"]
    if drafts:
        yield Issue(
            "draft_document", f"{len(drafts)} document{'s are' if len(drafts) > 1 else ' is'} marked as a draft",
            "Marked as drafts, so not relied on where a final copy is here: " + "; ".join(d.name for d in drafts[:40]) + ".",
            [d.fact for d in drafts[:40] if d.fact.citations], severity="Low", exposure={"not_quantified": "a question of which text is in force"},
        )  # fmt: skip


_EXHIBIT_FILE = re.compile(r"\b(exhibit|schedule|annex|appendix|attachment) ([a-z0-9.-]+)\b")


def missing_exhibits(case: Case) -> Iterator[tuple[Doc, str, Any]]:
    """(document, exhibit, citation) for what is said to be attached and is neither in the document nor in the room as a file."""
    files: dict[str, str] = defaultdict(str)
    for path in sorted(case.paths):
        name = re.sub(r"[_\-.]+", " ", path.casefold())
        for label, number in _EXHIBIT_FILE.findall(name):
            files[f"{label} {number}"] += f" {name}"
    for doc in case.ordered():
        for name, citation in sorted(doc.mentioned.items()):
            if name in doc.held or citation is None:
                continue
            label = name.split(" ", 1)[0]
            stem = bare(case.counterparty(doc)).split(" ")[0]
            if files.get(name.casefold()) and stem in files[name.casefold()]:
                continue
            if not any(held.startswith(label) for held in doc.held) and not doc.is_contract:
                continue
            yield doc, name, citation


def missing_agreements(case: Case) -> Iterator[tuple[str, str, list[Any]]]:
    """(what, why, findings) for agreements that are referred to by date, and files by name, and are not in the room."""
    files = " | ".join(re.sub(r"\W+", " ", path.casefold()) for path in sorted(case.paths))
    by_day: dict[str, list[Doc]] = defaultdict(list)
    called: dict[str, set[str]] = defaultdict(set)  # by word, the documents whose title or path has it
    for doc in case.ordered():
        by_day[doc.date].append(doc)
        for word in _words(doc.label):
            called[word].add(doc.id)
    found: dict[str, tuple[str, str, list[Any]]] = {}
    for finding in case.kinds["fact:reference"]:
        doc, values = case.doc(finding), finding.values
        if values.get("file"):
            stem = re.sub(r"\W+", " ", str(values["file"]).rsplit(".", 1)[0].casefold()).strip()
            if stem not in files:
                found.setdefault(stem, (str(values["file"]), f"{doc.name} refers to the file", []))[2].append(finding)
            continue
        title, day = str(values.get("title", "")), str(values.get("date", ""))
        with_whom = case.others(doc)[:1]
        if values.get("named"):
            wanted = _words(title)
            if not wanted or set.intersection(*(called.get(word, set()) for word in wanted)):
                continue
            named = title + (f" with {with_whom[0]}" if with_whom and "Statement of Work" in title else "")
            found.setdefault(bare(named), (named, f"{doc.name} refers to it", []))[2].append(finding)
            continue
        if not re.search(r"agreement|lease|contract|addendum|indenture|note\b", title, _I):
            continue
        here = any(_kin(other.title, title) or _kin(other.label, title) for other in by_day.get(day, ())) or any(
            other.family == "contract" and _kin(other.title, title) for other in case.with_same(doc)
        )
        if here:
            continue
        named = f"{title} of {day_said(day)}" + (f" with {with_whom[0]}" if with_whom else "")
        key = f"{' '.join(sorted(_words(title)))} {day} {bare(with_whom[0]) if with_whom else ''}"
        found.setdefault(key, (named, f"{doc.name} refers to it", []))[2].append(finding)
    yield from found.values()


def _words(title: str) -> set[str]:
    """The telling words of a title; "Amended and Restated" tells no other document."""
    return set(re.findall(r"[a-z0-9]+", title.casefold())) - {"of", "and", "the", "no", "amended", "restated"}


@lru_cache(maxsize=200_000)
def _kin(one: str, other: str) -> bool:
    a, b = set(bare(one).split()), set(bare(other).split())
    common = a & b - {"agreement", "of", "the", "and", "to", "for"}
    return bool(common) and len(common) >= min(len(a - {"agreement"}), len(b - {"agreement"})) * 0.6


def _referred(case: Case) -> Iterator[Issue]:
    """Agreements that others rest on and that are not in the room; those of large customers by themselves."""
    rest = []
    large = False
    for what, _why, findings in missing_agreements(case):
        doc = case.doc(findings[0])
        said = bare(" ".join(c.quote for c in findings[0].citations))
        row = case.row_of(doc) if doc.family in ("order", "amendment", "dpa") else None
        if row is None and not doc.is_contract:
            row = next(
                (
                    r
                    for r in case.revenue
                    if bare(str(r.values["customer"])) and bare(str(r.values["customer"])) in said
                ),
                None,
            )
        if row is None and re.search(r"master|agreement", what, _I):
            named = next((name for name in case.others(doc)[:1] if what.endswith(f" with {name}")), "")
            row = next((r for r in case.revenue if named and alike(named, str(r.values["customer"]))), None)
        notice = next((f for f in case.of(doc, "breach_notice", "non_renewal_notice")), None)
        if row is not None and notice is None and re.search(r"master|agreement", what, _I):
            case.use(*findings)
            amount, share = float(row.values["amount"]), float(row.values["share"])
            yield Issue(
                "missing_agreement", f"The contract behind {doc.name} is not in the room: {what}"[:190],
                f"{doc.title or doc.name} ({doc.name}) {'is made under' if doc.is_contract else 'speaks of'} the {what}, which is not in the room. {row.values['customer']} makes up {share:g} % of {row.values['measure']} ({case.money(amount)}); whether that contract may be ended on the change of control, or for convenience, is not known.",
                [*findings[:2], row], severity=_one_lower(case.grade(amount, share)), contingent=True, searched=f"{len(case.docs)} documents and all file names for the {what}",
                exposure={"base": amount, "low": 0.0, "high": amount, "currency": case.currency, "of": stake(case, row), "formula": f"one year of {row.values['measure']} under a contract that could not be read: {case.money(amount)}"},
            )  # fmt: skip
        else:
            rest.append((what, findings))
            large = large or (row is not None and notice is not None)
    if rest:
        yield Issue(
            "missing_document", f"{len(rest)} document{'s' if len(rest) > 1 else ''} referred to {'are' if len(rest) > 1 else 'is'} not in the room",
            "Referred to by documents in the room and not found in it: " + "; ".join(what for what, _ in rest[:40]) + ". Each is in the list of missing documents.",
            [f for _, findings in rest[:60] for f in findings[:1]], severity="Medium" if len(rest) > 2 or large else "Low", searched=f"{len(case.docs)} documents by title, date and party, and all file names",
            exposure={"not_quantified": "what they say is not known"},
        )  # fmt: skip


def _one_lower(severity: str) -> str:
    return {"Critical": "High", "High": "High", "Medium": "Medium"}.get(severity, "Low")


def _exhibits(case: Case) -> Iterator[Issue]:
    by_doc: dict[str, list[tuple[str, Any]]] = defaultdict(list)
    for doc, name, citation in missing_exhibits(case):
        by_doc[doc.id].append((name, citation))
    if by_doc:
        total = sum(map(len, by_doc.values()))
        lines = "; ".join(
            f"{case.docs[d].name}: {', '.join(name for name, _ in items[:8])}" for d, items in list(by_doc.items())[:40]
        )
        yield Issue(
            "missing_exhibit", f"{total} exhibit{'s or schedules that are said to be attached are' if total > 1 else ' or schedule that is said to be attached is'} not in the room",
            f"Said to be attached and neither in the document nor in the room as a file: {lines}.", [items[0][1] for items in list(by_doc.values())[:60]],
            severity="Medium" if any(case.row_of(case.docs[d]) is not None for d in by_doc) else "Low", searched=f"the {len(by_doc)} documents and all file names",
            exposure={"not_quantified": "prices and volumes often stand in exhibits; what these say is not known"},
        )  # fmt: skip


def _superseded(case: Case) -> Iterator[Issue]:
    """Sections that an amendment replaces: the term in force is the amendment's. One issue for each amendment."""
    for doc in case.family("amendment"):
        changes = case.of(doc, "fact:amends")
        related = case.with_same(doc)
        base = _amended(case, doc, [d for d in related if d.family != "amendment" and d.is_contract])
        later = {
            f.values.get("section")
            for d in related
            if d.family == "amendment" and d.date > doc.date
            for f in case.of(d, "fact:amends")
        }
        changes = [f for f in changes if f.values.get("section") not in later]
        if base is None or not changes:
            continue
        old = [f for change in changes for f in _replaced(base, change)]
        case.use(*old)
        sections = list(dict.fromkeys(str(f.values["section"]) for f in changes if f.values.get("section")))
        named = f"Section{'s' if len(sections) > 1 else ''} {', '.join(sections[:8])} of " if sections else ""
        words = said(changes[0])
        yield Issue(
            "superseded_term", f"{doc.name} replaces {named}{base.name}",
            f"{doc.title or doc.name} of {day_said(doc.date) or 'no date'} replaces {named or 'terms of '}{base.title or base.name}: “{words}” The earlier wording is no longer in force and is not reported as a term.",
            [*changes[:4], *(old[:2] or ([base.fact] if base.fact is not None else []))], severity=_by_topic(changes),
            exposure={"not_quantified": "the effect of the new terms depends on events to come"},
        )  # fmt: skip


def _amended(case: Case, doc: Doc, candidates: list[Doc]) -> Doc | None:
    """The contract that an amendment is of: the one it dates, else one of a like title, else the first with the same party."""
    days = {str(f.values.get("date")) for f in case.of(doc, "fact:reference")}
    dated = [d for d in candidates if d.date in days]
    kin = [d for d in candidates if _kin(d.title, doc.title)]
    return next(iter([*dated, *kin, *candidates]), None)


def _replaced(base: Doc, change: Any) -> list[Any]:
    """Findings of the contract under the section that is replaced; all on its topic where quotes bear no section numbers."""
    topic = [f for f in base.findings if f.kind in _TERMS.get(str(change.values.get("topic", "")), ())]
    numbered = [f for f in topic if f.citations and re.match(r"\W*(?:Section )?\d+(?:\.\d+)*", f.citations[0].quote)]
    section = re.escape(str(change.values.get("section", "")))
    under = [f for f in numbered if re.match(rf"\W*(?:Section )?{section}(?![\d.]*\d)", f.citations[0].quote)]
    return under if numbered and section else topic


_TERMS = {
    "liability": ("liability_cap", "uncapped_liability"),
    "term": ("auto_renewal",),
    "price": ("minimum_commitment", "price_restriction"),
    "control": ("change_of_control_termination", "change_of_control_consent"),
}


def _by_topic(changes: list[Any]) -> str:
    return "Medium" if any(f.values.get("topic") in ("liability", "price", "control") for f in changes) else "Low"


def _amendment_gap(case: Case) -> Iterator[Issue]:
    chains: dict[str, list[Doc]] = defaultdict(list)
    for doc in case.family("amendment"):
        if doc.amendment and case.others(doc):
            chains[bare(case.others(doc)[0])].append(doc)
    for docs in chains.values():
        numbers = {d.amendment for d in docs}
        absent = sorted(set(range(1, max(numbers))) - numbers)
        if absent:
            yield Issue(
                "amendment_gap", f"Amendment{'s' if len(absent) > 1 else ''} no. {', '.join(map(str, absent))} with {case.counterparty(docs[0])} {'are' if len(absent) > 1 else 'is'} not in the room",
                f"Amendment no. {max(numbers)} is in the room ({docs[-1].name}); no. {', '.join(map(str, absent))} is not. The terms in force cannot be told without it.",
                [d.fact for d in docs if d.fact is not None and d.fact.citations][:4], searched=f"{len(case.docs)} documents for amendments with {case.counterparty(docs[0])}",
                exposure={"not_quantified": "what the missing amendment changes is not known"},
            )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="reviewer_instruction", number=0, workstream="Data room integrity", title="A document tells its readers what to conclude", evidence="direct", severity="High",
        why="Someone has tried to steer the review; what else the document says deserves doubt.", next_step="Ask the seller who put the words there; read the document and its neighbours by hand.", protection="Representation on the completeness of the data room",
        question="Does a document address its readers, reviewers or a program and tell them what to do, conclude or leave out?",
        triggers=("ignore", "disregard", "reviewer", "automated", "language model", "assistant", "no issues were", "do not report", "do not mention", "do not flag", "system prompt", "do not disclose this", " ai "), find=_instruction,
    ),
    Archetype(
        id="hidden_text", number=0, workstream="Data room integrity", title="Text that a reader of the file does not see", evidence="direct", severity="Medium",
        why="It was left by accident or hidden on purpose; either way it says what the visible text does not.", next_step="Ask the seller who wrote it, why it is hidden and whether it is true; obtain the documents behind it.", protection="Representation on the completeness of the data room", question="Is there text marked as hidden that says something of weight?",
        triggers=(), find=lambda c: None,
    ),
    Archetype(
        id="hidden_security", number=1, workstream="Capitalization", title="A security that the visible table does not show", evidence="direct", severity="High",
        why="The holder shares in the price or must be paid off; the capitalization that was shown is wrong.", next_step="Obtain the instrument, compute what it takes on the transaction, and have it shown in the capitalization table and the payment spreadsheet.",
        protection="Fundamental representation on capitalization; payoff or conversion as closing condition; special indemnity", check=_hidden_security,
    ),
    Archetype(
        id="unconfirmed_statement", number=0, workstream="Data room integrity", title="A note says that a statement was not confirmed", evidence="direct", severity="High",
        why="The author knew that the statement might not be true.", next_step="Ask who wrote the note, what was checked since, and with what result.", protection="Specific representation on the statement",
        question="Does a note, speaker's note or comment say that a statement is not confirmed, not checked or not to be disclosed?",
        triggers=("confirmed", "verified", "cleared", "signed off", "do not share", "do not disclose"), event=True, find=_unconfirmed,
    ),
    Archetype(
        id="tracked_deletion", number=17, workstream="Data room integrity", title="Words were struck from a document", evidence="direct", severity="High",
        why="What was struck may be true; who struck it, and why, is for the seller to say.", next_step="Ask who struck the words and on what ground; verify the fact against the records.", protection="Specific representation on the fact that was struck; schedule correction",
    ),
    Archetype(
        id="unsigned_contract", number=30, workstream="Contracts", title="Contract without signatures", evidence="absence", severity="Medium",
        why="It may not bind the other side.", next_step="Ask for the signed copy; execute before closing.", protection="Closing condition (executed copy)", check=_unsigned,
    ),
    Archetype(
        id="form_only", number=69, workstream="Data room integrity", title="Only a blank form is in the room", evidence="absence", severity="Medium",
        why="A form proves nothing of who signed.", next_step="Ask for the signed copies, or a list of who signed and who did not.", protection="Representation",
    ),
    Archetype(
        id="draft_document", number=5, workstream="Data room integrity", title="Draft in place of a final document", evidence="direct", severity="Low",
        why="What is in force may differ.", next_step="Ask for the signed or final version of each, and compare it with the draft.", protection="Representation on the final text; closing condition for those relied on", check=_drafts,
    ),
    Archetype(
        id="missing_agreement", number=29, workstream="Contracts", title="The agreement that others rest on is absent", evidence="absence", severity="High",
        why="The terms that matter most stand in a document that the buyer has not seen.", next_step="Request the agreement with all its amendments, and read its control, assignment and termination clauses before signing.", protection="Closing condition; representation on the full text", check=_referred,
    ),
    Archetype(
        id="missing_document", number=29, workstream="Data room integrity", title="Documents referred to are absent", evidence="absence", severity="Medium",
        why="The picture is not complete.", next_step="Send the list as a follow-up request.", protection="Representation on the completeness of the data room",
    ),
    Archetype(
        id="missing_exhibit", number=29, workstream="Contracts", title="Exhibits or schedules are absent", evidence="absence", severity="Low",
        why="Prices, volumes and service levels often stand there.", next_step="Send the list as a follow-up request.", protection="Representation", check=_exhibits,
    ),
    Archetype(
        id="superseded_term", number=27, workstream="Contracts", title="A later amendment replaces a term", evidence="cross-document", severity="Low",
        why="Whoever reads the main contract alone reads a term that is no longer in force.", next_step="Take the term in force into the model and the contract summaries; confirm with the seller that no further amendment exists.", protection="Representation that the amendments in the room are all there are", check=_superseded,
    ),
    Archetype(
        id="amendment_gap", number=27, workstream="Contracts", title="An amendment in the series is absent", evidence="absence", severity="Medium",
        why="The terms in force are not known.", next_step="Ask for the missing amendment.", check=_amendment_gap,
    ),
)  # fmt: skip
