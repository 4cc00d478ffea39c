"""Who really owns what was invented, written or registered: assignments that were only promised, never given, or given to others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Clause, Hit, Issue, unpointed
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.links import Said, called, counter, in_hand, issue, links, named, relief, sums
from redwell.diligence.archetypes.ownership import _docs
from redwell.diligence.archetypes.signals import support, worked_out
from redwell.diligence.archetypes.stakes import day_said, said

_I = re.IGNORECASE
GIVES = r"\bhereby (?:irrevocably )?(?:assigns?|transfers?|conveys?)\b|\bassigns? (?:and transfers? )?to\b|\bmakes? over\b|\btransfers? (?:by this|to [A-Z])|\bconveys?\b|\bhas assigned\b|\bassignment\b[^.;|]{0,40}\b(?:executed|recorded|signed)"
_PROMISE = re.compile(
    r"\b(?:agrees? to|will|shall|undertakes? to|promises? to|is to|must)\b (?:promptly |fully |then |on request |upon request |at our request )*(?:assign|transfer|make over)\b", _I
)  # fmt: skip
_MADE = re.compile(
    r"\binvent\w*|\bwork product|\b(?:writes?|wrote|develops?|creates?|builds?|designs?|conceives?)\b|\bcode\b|\bsoftware\b|\bdevelopments?\b|\bimprovements?\b|\bintellectual property|\bcopyright",
    _I,
)


def _promised(clause: Clause) -> Hit | None:
    if clause.family not in ("employment", "invention_assignment", "contractor", "other"):
        return None
    text = unpointed(clause.text)
    found = _PROMISE.search(text)
    if (
        not found
        or not _MADE.search(text)
        or clause.family not in ("employment", "invention_assignment", "contractor", "other", "contract")
    ):
        return None
    if re.search(
        r"\bhereby\b[^.;]{0,40}\b(?:assign|transfer|convey)|\bin advance\b|\bautomatically\b|\bno request is needed\b",
        clause.context,
        _I,
    ):
        return None
    if re.search(
        r"\b(?:assign|transfer) (?:to )?(?:our|the|another|a different) (?:office|site|plant|team|department)|assign (?:this|the agreement|staff|personnel|persons?|people|a |an |its rights under|tasks?|work to|qualified)|\bnot assign|\bnot transfer|\bgoods\b|\btitle to the products?",
        text,
        _I,
    ):
        return None
    return Hit({"bound": words.actor(clause.text)}, found[0])


def _inventors(clause: Clause) -> Hit | None:
    found = re.search(
        r"\b(?:sole |joint |co-)?inventors?\b[^.|]{0,40}[:|] ?|\binvented by\b|\bidea by\b|\bnamed inventors?\b",
        clause.text,
        _I,
    )
    return (
        Hit({"sole": bool(re.search(r"sole inventor|\balone\b", clause.text, _I)) or ""}, found[0])
        if found and _PERSON.search(clause.text[found.start() :])
        else None
    )


_PERSON = re.compile(r"\b[A-Z][a-z’'-]+ (?:[A-Z]\. )?[A-Z][a-zA-Z’'-]{2,}\b")


def _writes(clause: Clause) -> Hit | None:
    if clause.family not in ("contractor", "order", "other"):
        return None
    found = re.search(
        r"\b(?:will|shall|to|agrees to|we)\b[^.;]{0,30}\b(?:design|write|develop|program|code|build)\w*\b[^.;]{0,60}\b(?:module|software|code|program|application|engine|core|firmware|library|platform|system|for)\b",
        clause.text,
        _I,
    )
    return Hit({}, found[0]) if found and clause.family in ("contractor", "order", "other") else None


def _funded(clause: Clause) -> Hit | None:
    if not re.search(r"invent|patent|discover|technolog|data|US \d", clause.text, _I):
        return None
    found = re.search(
        r"\b(?:Government|University|Institute|Laborator\w+|Agency|school|college|Department|Foundation)\b[^.;]{0,80}\b(?:has|have|retains?|receives?|keeps?|holds?|owns?|may)\b[^.;]{0,80}\b(?:licen[cs]e|rights?|title|march|half|share)|"
        r"\bmade with (?:\w+ ){0,2}(?:support|funds|funding|money)\b|\b(?:half|part|share) of (?:every|each|any) (?:patent|invention)[^.;]{0,60}\bbelongs? to\b", clause.text,
    )  # fmt: skip
    return (
        Hit({}, found[0])
        if found and re.search(r"invent|patent|discover|technolog|data|US \d", clause.text, _I)
        else None
    )


def _suggested(clause: Clause) -> Hit | None:
    if clause.family not in ("minutes", "other", "deck", "overview"):
        return None
    found = re.search(
        r"\b(?:proposed|suggested|came up with|had the idea|contributed|conceived|thought of|sketched|put forward)\b|\b(?:my|her|his) (?:sketch|idea)\b",
        clause.text,
        _I,
    )
    told = re.search(
        r"\b(?:invent\w*|patent|write it up|claims?|application|filing|nobody had|new\b)|US \d", clause.text, _I
    )
    return Hit({}, found[0]) if found and told and _PERSON.search(clause.text) else None


def _own_name(clause: Clause) -> Hit | None:
    found = re.search(
        r"\b(?:Company|target|Seller|group)\b[^.;]{0,30}\b(?:owns?|is the (?:sole |registered |record )*owner|holds? title)\b|\b(?:registered|recorded|held) in the (?:Company|target)[’']?s?\b[^.;]{0,20}\bname\b|\bin the Company[’']s own name\b",
        clause.text,
        _I,
    )
    return (
        Hit({}, found[0])
        if found
        and re.search(r"\b(?:Reg|US|EP|No)\b\.? ?\d|\d{5,}|\b[a-z][\w-]+\.(?:com|net|org|io|example)\b", clause.text)
        else None
    )


# --- checks ------------------------------------------------------------------------------------------------------------------


def _given(case: Case, name: str, but: tuple[str, ...] = ()) -> Said | None:
    """An executed paper in which somebody assigns."""
    known = links(case)
    last = name.split()[-1].lower() if " " not in name or _PERSON.fullmatch(name) else name.lower()
    for doc in case.ordered():
        if doc.id in but or not in_hand(doc):
            continue
        for line, _ in known.said([doc], GIVES):
            if last in line.text.lower() and not re.search(
                r"\b(?:will|shall|agrees? to|open|pending|not yet)\b[^.;]{0,30}\bassign", line.text, _I
            ):
                return line
    return None


def _who(doc: Doc) -> str:
    """The person who signed, or what the paper is called."""
    return next((str(p["name"]) for p in doc.parties if _PERSON.fullmatch(str(p["name"]))), "")


def _only_promised(case: Case) -> Iterator[Issue]:
    for doc, finding in _docs(case, "will_assign", "agrees_to_assign"):
        if doc.family not in ("employment", "invention_assignment", "contractor", "other"):
            continue
        known = links(case)
        case.use(*case.of(doc, "will_assign", "agrees_to_assign"))
        own = next(
            (
                line
                for line, _ in known.said(
                    [doc],
                    r"\bhereby (?:irrevocably )?(?:assigns?|transfers?)|\btransfer it to us\b|\bin advance\b|\bno request is needed\b",
                )
            ),
            None,
        )
        surname = next((w for w in reversed(called(doc).split()) if w[:1].isupper() and w.isalpha()), "")
        later = _given(case, surname, (doc.id,)) if len(surname) > 3 else None
        if own is not None or later is not None or not in_hand(doc):
            continue
        who = _who(doc) or named(case, doc)
        product = re.search(r"\b(?:on|of|engine of|for) ((?:the )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)+)", said(finding))
        thing = product[1] if product else "what was made"
        yield issue(
            case, "agrees_to_assign", "Inventions are only promised, not assigned", named(case, doc),
            f"{who} only agreed to assign inventions in future, without a present assignment: “{said(finding)}” " + (f"The paper is dated {day_said(doc.date)}. " if doc.date else "")
            + f"A promise passes no title: legal title to {thing} may still be with the author under the {called(doc)}, who can assign to someone else first, so that the target's ownership is not secure.",
            [finding], severity="High", evidence="direct", wanting="the product's sales are not in the documents",
            step="Obtain a confirmatory present assignment from the signatory before closing.", protection="Closing condition (confirmatory assignment); IP representation",
        )  # fmt: skip


def _no_assignment(case: Case) -> Iterator[Issue]:
    known = links(case)
    seen: set[str] = set()
    inventors = [
        (line, m)
        for doc in case.ordered()
        if doc.family not in ("disclosure_schedule", "merger", "insurance", "policy")
        for line, m in known.said([doc], r"\binventors?\b[^.|]{0,40}[:|]|\bidea by\b|\binvented by\b")
    ]
    for line, match in inventors:
        number = re.search(r"\b(?:US|EP|WO|GB|DE) ?\d[\d,/ .]*\d", line.text)
        people = [
            name
            for name in dict.fromkeys(_PERSON.findall(line.text[match.start() :]))
            if not re.search(r"Inc|Corp|LLC|Patent|Method|Later|Idea By|Inventors", name)
        ]
        given = {name: _given(case, name) for name in people}
        for name in people:
            if given[name] is not None or name in seen:
                continue
            last = name.split()[-1].lower()
            hints = [
                other for doc in case.ordered() for other in known.lines[doc.id]
                if last in other.text.lower() and ((not in_hand(doc) and re.search(GIVES, other.text, _I)) or re.search(r"\|[^|]*\b(?:open|missing|outstanding|not signed|pending|none|unsigned|on leave)\b", other.text, _I))
            ]  # fmt: skip
            if not hints and not any(given.values()):
                continue
            seen.add(name)
            keys = known.keys(line.text)
            worth = next(
                (
                    (max(sums(other.text)), other)
                    for doc in [line.doc, *known.related(keys, but=line.doc)]
                    for other, _ in known.said([doc], r"sell|sales|revenue|came to|a year|turnover|twelve months")
                    if sums(other.text)
                ),
                None,
            )
            subject = number[0] if number else called(line.doc)
            yield issue(
                case, "no_invention_assignment", "No executed invention assignment", f"{name}, {subject}",
                f"{name} is an inventor of {subject}: “{said_line(line)}” No executed invention assignment of {name} is in the data room" + (f"; {hints[0].doc.name} is no executed one" if hints else "") + f". "
                f"The target may not own the share of {name} in {subject}, who would remain co-owner and could keep it or license it to others." + (f" Sales of {case.money(worth[0])} a year rest on the invention." if worth else ""),
                [line.part, worth[1].part if worth else None, hints[0].part if hints else None], amount=worth[0] if worth else None, formula="one year of sales that rest on the invention", of=f"{subject}: sales",
                severity="High", evidence="absence", searched=f"an assignment by {name}", step=f"Obtain an assignment from {name} before, or as a condition of, closing.", protection="Closing condition (assignment); IP representation",
            )  # fmt: skip


def said_line(line: Said) -> str:
    """A line's words, shortened at a word's end."""
    return line.text if len(line.text) <= 400 else line.text[:400].rsplit(" ", 1)[0]


def _contractors(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "writes_code"):
        other = counter(case, doc)
        if doc.family != "contractor":
            told = re.search(r"(?:terms|rates|offer|contract) (?:of|from) ([a-z]+ [a-z]+)", called(doc), _I)
            if not told:
                continue
            other = told[1]
        keys = known.labels[doc.id]
        given = next(
            (
                it
                for it, _ in known.said([doc, *known.related(keys, but=doc)], GIVES)
                if in_hand(it.doc) and not re.search(r"personnel|this agreement|\bbe assigned", it.text, _I)
            ),
            None,
        )
        if given is not None or not keys:
            continue
        docs = known.related(keys, but=doc)
        text = said(finding)
        part = re.search(
            r"\b(?:module|component|library|engine|program|core of|called|software) ([a-z][a-z0-9_-]{5,}|[A-Z][\w-]+(?: [A-Z][\w-]+)*)",
            text,
        )
        credit = next(
            (
                it
                for it, m in known.said(docs, r"\bcore of ([a-z][\w-]{5,})|^([a-z][\w-]{5,}) \|")
                if counter_in(other, it.text)
            ),
            None,
        )
        if part is None and credit is not None:
            part = re.search(r"\b(?:[Cc]ore of )?([a-z][a-z0-9_-]{7,})\b", credit.text)
        thing = part[1] if part else "the code"
        cost = None
        if part:
            for each in case.ordered():
                for line, _ in known.said([each], r"again|once more|rewrit|re-writ|new(?:ly)? writ|replac"):
                    if thing.lower() in f"{line.text} {called(each)}".lower() and sums(line.text):
                        cost = cost or (max(sums(line.text)), line)
            credit = credit or next(
                (
                    it
                    for each in case.ordered()
                    if each is not doc
                    for it in known.lines[each.id]
                    if thing in it.text and counter_in(other, it.text)
                ),
                None,
            )
        if credit is None and cost is None:
            continue
        case.use(*case.of(doc, "writes_code"))
        yield issue(
            case, "contractor_no_assignment", "Contractor wrote code without an assignment of rights", f"{other}, {thing}",
            f"The contractor {other} wrote {thing} ({called(doc)}: “{text}”). There is no assignment of rights by {other} in the data room; words such as “work made for hire” do not pass the rights in software of a contractor. "
            f"{other} may own the copyright in {thing}, the target having a licence at best." + (f" Writing {thing} again would cost {case.money(cost[0])}." if cost else ""),
            [finding, credit.part if credit else None, cost[1].part if cost else None], amount=cost[0] if cost else None, formula="the estimate of writing the code again", of=f"{thing}: rewrite",
            severity="High", evidence="absence", searched=f"an assignment by {other}", step=f"Obtain an assignment from {other} before, or as a condition of, closing.", protection="Closing condition (assignment)",
        )  # fmt: skip


def counter_in(name: str, text: str) -> bool:
    """Whether a name stands in some words."""
    return bool(name) and name.lower() in text.lower()


def _recorded(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc in case.ordered():
        heads = [
            (n, line)
            for n, line in enumerate(known.lines[doc.id])
            if re.search(
                r"\|[^|]*\b(?:registered for|owners?|registrant|proprietor|holder|assignee|in the name of)\b",
                line.text,
                _I,
            )
        ]
        if not heads or doc.family in ("insurance", "cap_table", "revenue", "disclosure_schedule", "ip_register"):
            continue
        cells = [c.strip().lower() for c in heads[0][1].text.split("|")]
        place = next(
            (
                n
                for n, c in enumerate(cells)
                if re.search(r"registered for|owner|registrant|proprietor|holder|assignee|in the name of", c)
            ),
            0,
        )
        for line in known.lines[doc.id][heads[0][0] + 1 :]:
            row = [c.strip() for c in line.text.split("|")]
            if len(row) != len(cells) or not re.search(r"[A-Z]", row[place]) or case.is_target(row[place]):
                continue
            number = next((c for c in row if re.search(r"\d{5,}|\.(?:com|net|org|io)\b", c)), "")
            tokens = codes_of(number)
            if not number or not tokens:
                continue
            own = case.target.split(",")[0].split(" Inc")[0].split(" Corp")[0]
            later = [
                it
                for d in case.ordered()
                for it in known.lines[d.id]
                if it is not line
                and tokens & codes_of(it.text)
                and re.search(r"transfer|assign|merged into|change of name|license[sd] back", it.text, _I)
                and re.search(rf"{re.escape(own)}|the Company\b", it.text, _I)
            ]
            if later:
                continue
            listed = next(
                (
                    it
                    for d in case.family("disclosure_schedule", "ip_register", "merger", "overview", "deck", "other")
                    for it in known.lines[d.id]
                    if d is not doc
                    and tokens & codes_of(it.text)
                    and re.search(r"\bowns?\b|own name|Company|\|", it.text)
                ),
                None,
            )
            when = next((c for c in row if re.fullmatch(r"\d{4}-\d\d-\d\d", c)), doc.date)
            owner = re.sub(r",? (?:Inc|LLC|Ltd|Corp|Corporation|GmbH|AG|plc)\.?$", "", row[place])
            yield issue(
                case, "recorded_owner", "The recorded owner is somebody else", f"{number}, {owner}",
                f"The recorded owner of {number} is {owner}, by the registry extract of {day_said(when)} ({called(doc)})" + (f", while {called(listed.doc)} says: “{said_line(listed)}”" if listed else ", and not the target")
                + f". The target's title to {number} is not shown, so that it could not enforce or convey it" + (", and the schedule is wrong." if listed else "."),
                [line.part, listed.part if listed else None], severity="High", evidence="cross-document", wanting="the value of the right is not in the documents", searched=f"a transfer of {number} to the target",
                step=f"Obtain an assignment of {number} to the target and have it recorded before closing.", protection="Closing condition (recorded assignment); IP representation",
            )  # fmt: skip


def codes_of(text: str) -> set[str]:
    """The long numbers and domain names in some words."""
    return {re.sub(r"[,\s]", "", m) for m in re.findall(r"\d[\d,]{4,}\d", text)} | set(
        re.findall(r"\b[\w-]+\.(?:com|net|org|io)\b", text)
    )


def _public_rights(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "funded_rights", "government_rights"):
        text = said(finding)
        found = set(re.findall(r"\b[A-Z]{1,5}-\d{2,}[\w-]*\b", f"{text} {called(doc)}"))
        patent = re.search(r"\bUS ?\d[\d,/]{5,}", f"{text} {called(doc)}")
        if not found:
            continue
        code = sorted(found)[0]
        docs = [
            d
            for d in case.ordered()
            if d is not doc and any(code.lower() in f"{it.text} {d.name}".lower() for it in known.lines[d.id])
        ]
        tie = next(
            (
                it
                for d in docs
                for it in known.lines[d.id]
                if code in it.text and re.search(r"\bUS ?\d[\d,/]{5,}", f"{it.text} {called(d)}")
            ),
            None,
        )
        if patent is not None or tie is None:
            continue
        number = re.search(r"\bUS ?\d[\d,/]{5,}", f"{tie.text} {called(tie.doc)}")
        assert number is not None
        if relief(
            case,
            known.keys(number[0], code),
            doc,
            r"\bconveys?\b|\bhereby (?:assign|transfer)|\breleases?\b|\bwaive[sd]?\b|\bassigns?\b[^.;]{0,60}\b(?:half|share|rights?)\b",
        ):
            case.use(
                *case.of(doc, "funded_rights", "government_rights"),
                *case.of(tie.doc, "funded_rights", "government_rights"),
            )
            continue
        giver = next(
            (
                m[1]
                for d in (doc, tie.doc)
                for it in known.lines[d.id]
                if (
                    m := re.search(
                        r"\b(?:of|to|by|with) (?:the )?([A-Z][\w’'-]+(?: (?:of |for )?[A-Z][\w’'-]+)* (?:Laboratory|Institute[\w ]*|University|Agency|Department|School|Foundation|College|Center)(?: of [A-Z]\w+)?|University of [A-Z]\w+)",
                        it.text,
                    )
                )
            ),
            "",
        )
        giver = giver or counter(case, doc)
        case.use(
            *case.of(doc, "funded_rights", "government_rights"), *case.of(tie.doc, "funded_rights", "government_rights")
        )
        yield issue(
            case, "government_rights", "Funding gives others rights in the patent", f"{number[0]}, {code}",
            f"The invention of {number[0]} was made with funds under {code} of {giver}: “{said_line(tie)}” By the terms of {code} {giver} holds rights in {number[0]}, such as a paid-up license or a share: “{text}” "
            f"The target's rights in {number[0]} are therefore not exclusive but subject to those of {giver}, and a statement of sole ownership is wrong.",
            [finding, tie.part], severity="Medium", evidence="cross-document", wanting="the value of exclusivity is not in the documents",
            step=f"Have an exception for {number[0]} put into the disclosure schedule, review compliance with {code}, and ask {giver} for a waiver or licence.", protection="Schedule exception; IP representation",
        )  # fmt: skip


def _left_out(case: Case) -> Iterator[Issue]:
    known = links(case)
    for doc, finding in _docs(case, "inventive_part"):
        text = said(finding)
        number = re.search(r"\b(?:US|EP|WO) ?\d[\d,/]{5,}", text)
        if number is None:
            continue
        tokens = codes_of(number[0])
        names = next(
            (
                it
                for d in case.ordered()
                for it in known.lines[d.id]
                if d is not doc
                and tokens & codes_of(f"{it.text} {called(d)}")
                and re.search(r"inventors?\b", it.text, _I)
            ),
            None,
        )
        giver = re.search(
            r"([A-Z][a-z’'-]+ [A-Z][\w’'-]+)(?: \(([^)]+)\)|,? (?:of|from|for) ([A-Z][\w&’'-]+(?: [A-Z][\w&’'-]+)+))",
            text,
        )
        if names is None or giver is None or giver[1] in names.text:
            continue
        firm = giver[2] or giver[3]
        if relief(
            case,
            known.keys(firm, giver[1], number[0]),
            doc,
            rf"{GIVES}|\balready known\b|\bin no claim\b|\bcorrection (?:was )?filed\b|\bdid not contribute\b",
        ):
            continue
        subject = number[0]
        yield issue(
            case, "joint_ownership", "An inventor was left out", f"{subject}, {giver[1]} of {firm}",
            f"{giver[1]} of {firm} contributed to the conception of the invention of {subject}: “{text}” {subject} does not name {giver[1]} as an inventor (“{said_line(names)}”). "
            f"{firm} may be a co-owner of {subject} and could use it or license it without the target, so that exclusivity is lost and the patent is at risk of being invalid.",
            [finding, names.part], severity="High", evidence="cross-document", wanting="the value of exclusivity is not in the documents", searched=f"an assignment by {giver[1]} or {firm}",
            step=f"Correct the inventorship of {subject} and obtain an assignment or licence from {firm} before closing.", protection="Closing condition (correction and assignment)",
        )  # fmt: skip


ARCHETYPES = (
    support("will_assign", ("assign", "make over", "transfer"), _promised, "IP", "Does a person only promise to assign what he or she makes?"),
    support("inventor_named", ("inventor", "invented by", "idea by"), _inventors, "IP", "Who is named as an inventor?"),
    support("writes_code", ("design", "write", "develop", "program", "build"), _writes, "IP", "Which outsiders write code?"),
    support("funded_rights", ("government", "university", "institute", "laborator", "agency", "school", "college", "foundation", "made with"), _funded, "IP", "Who funded an invention, and what rights follow?"),
    support("inventive_part", ("proposed", "suggested", "came up with", "the idea", "contributed", "conceived", "thought of", "sketch"), _suggested, "IP", "Whose idea, from outside, went into a patent?"),
    support("owned_by_target", ("own name", "owner", "owns"), _own_name, "IP", "Which rights is the target said to own?"),
    worked_out("inventor_unassigned", 69, "IP", "No executed invention assignment of an inventor", "Without an assignment the inventor owns a share and can license it.", "Obtain the assignment.", "Closing condition (assignment)", _no_assignment, "absence", quiet=True),
    worked_out("contractor_code", 71, "IP", "Contractor's code without an assignment", "A contractor owns the copyright unless it is assigned in writing.", "Obtain the assignment.", "Closing condition (assignment)", _contractors, "absence", quiet=True),
    worked_out("recorded_owner", 72, "IP", "The registry names another owner", "Without recorded title the right cannot be enforced or conveyed.", "Obtain and record the assignment.", "Closing condition (recorded assignment)", _recorded, "cross-document"),
    worked_out("only_promised", 70, "IP", "An assignment was only promised", "A promise passes no title.", "Obtain present assignments.", "Closing condition (assignment)", _only_promised, "direct", quiet=True),
    worked_out("public_rights", 76, "IP", "Funding gives others rights", "Exclusivity is limited.", "Schedule the exception.", "Schedule exception", _public_rights, "cross-document", quiet=True),
    worked_out("inventor_left_out", 75, "IP", "An inventor was left out", "A co-owner can license without the target.", "Correct the inventorship.", "Closing condition (correction)", _left_out, "cross-document", quiet=True),
)  # fmt: skip
