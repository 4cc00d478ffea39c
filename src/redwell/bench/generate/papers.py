"""What a document is made of before it is a file. Plants write these; the renderers turn them into Word, Excel, mail, slides, text or PDF."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

FileKind = Literal["docx", "xlsx", "eml", "pptx", "txt"]
"""PDF is made of a paper that may be docx or txt, when the room's mix wants some."""
Cell = str | int | float | date | None
"""A number in a cell is shown with thousands separators, a date as YYYY-MM-DD; give text where another form matters."""

FOLDERS: dict[str, str] = {
    "1.1": "1.0 Transaction Documents and Sale Process/1.1 Merger Agreement and Disclosure Schedules",
    "1.2": "1.0 Transaction Documents and Sale Process/1.2 Board and Committee Process",
    "1.3": "1.0 Transaction Documents and Sale Process/1.3 Regulatory Deal Filings",
    "1.4": "1.0 Transaction Documents and Sale Process/1.4 Financing and Funds Flow",
    "1.5": "1.0 Transaction Documents and Sale Process/1.5 Marketing Materials and Process Letters",
    "2.1": "2.0 Corporate Organization and Governance/2.1 Charters and Bylaws",
    "2.2": "2.0 Corporate Organization and Governance/2.2 Minute Books and Board Process",
    "2.3": "2.0 Corporate Organization and Governance/2.3 Subsidiaries and Good Standing",
    "2.4": "2.0 Corporate Organization and Governance/2.4 Capitalization and Equity Plans",
    "2.5": "2.0 Corporate Organization and Governance/2.5 Investor Agreements and Side Letters",
    "3.1": "3.0 Financial Statements and Forecasts/3.1 Audited Financial Statements",
    "3.2": "3.0 Financial Statements and Forecasts/3.2 Revenue and Recurring Revenue",
    "3.3": "3.0 Financial Statements and Forecasts/3.3 Quality of Earnings",
    "3.4": "3.0 Financial Statements and Forecasts/3.4 Working Capital, Cash Flow and Net Debt",
    "3.5": "3.0 Financial Statements and Forecasts/3.5 Budgets, Forecasts and Board Reporting",
    "4.1": "4.0 Indebtedness and Liens/4.1 Credit Agreements and Notes",
    "4.2": "4.0 Indebtedness and Liens/4.2 Liens, Payoffs and Releases",
    "4.3": "4.0 Indebtedness and Liens/4.3 Compliance Certificates and Lender Correspondence",
    "4.4": "4.0 Indebtedness and Liens/4.4 Guarantees, Letters of Credit and Hedging",
    "5.1": "5.0 Tax/5.1 Returns and Provisions",
    "5.2": "5.0 Tax/5.2 Audits and Correspondence",
    "5.3": "5.0 Tax/5.3 Transfer Pricing and Intercompany",
    "5.4": "5.0 Tax/5.4 State, Local and Indirect Tax",
    "5.5": "5.0 Tax/5.5 Incentives and Grants",
    "6.1": "6.0 Material Contracts/6.1 Customer Agreements",
    "6.2": "6.0 Material Contracts/6.2 Supplier Agreements",
    "6.3": "6.0 Material Contracts/6.3 Channel, Joint Venture and Alliance Agreements",
    "6.4": "6.0 Material Contracts/6.4 Government Contracts",
    "6.5": "6.0 Material Contracts/6.5 Contract Amendments, Notices and Correspondence",
    "6.6": "6.0 Material Contracts/6.6 Consents and Waivers",
    "7.1": "7.0 Intellectual Property and Technology/7.1 Patents and Trademarks",
    "7.2": "7.0 Intellectual Property and Technology/7.2 Invention Assignments",
    "7.3": "7.0 Intellectual Property and Technology/7.3 Inbound and Outbound Licenses",
    "7.4": "7.0 Intellectual Property and Technology/7.4 Open Source and Release Artifacts",
    "7.5": "7.0 Intellectual Property and Technology/7.5 Escrow, Domains and Product Technology",
    "8.1": "8.0 Privacy and Cybersecurity/8.1 Policies and Notices",
    "8.2": "8.0 Privacy and Cybersecurity/8.2 Data Processing Agreements and Vendors",
    "8.3": "8.0 Privacy and Cybersecurity/8.3 Incidents and Operational Logs",
    "8.4": "8.0 Privacy and Cybersecurity/8.4 Certifications and Assessments",
    "9.1": "9.0 Employees, Benefits and Labor/9.1 Executive and Employment Agreements",
    "9.2": "9.0 Employees, Benefits and Labor/9.2 Contractors and Alternative Workforce",
    "9.3": "9.0 Employees, Benefits and Labor/9.3 Census, Compensation and Plans",
    "9.4": "9.0 Employees, Benefits and Labor/9.4 Labor Relations and Complaints",
    "10.1": "10.0 Litigation, Claims and Investigations/10.1 Pending and Threatened Matters",
    "10.2": "10.0 Litigation, Claims and Investigations/10.2 Settlements, Orders and Decrees",
    "10.3": "10.0 Litigation, Claims and Investigations/10.3 Demand Letters and Correspondence",
    "10.4": "10.0 Litigation, Claims and Investigations/10.4 Reserves and Counsel Estimates",
    "11.1": "11.0 Real Estate and Facilities/11.1 Leases and Site Schedules",
    "11.2": "11.0 Real Estate and Facilities/11.2 Owned Property, Title and Surveys",
    "11.3": "11.0 Real Estate and Facilities/11.3 Estoppels and Landlord Correspondence",
    "12.1": "12.0 Environmental, Health and Safety/12.1 Site Assessments and Reports",
    "12.2": "12.0 Environmental, Health and Safety/12.2 Permits and Notices",
    "12.3": "12.0 Environmental, Health and Safety/12.3 Remediation and Reserves",
    "13.1": "13.0 Insurance/13.1 Policies and Endorsements",
    "13.2": "13.0 Insurance/13.2 Loss Runs and Claims",
    "14.1": "14.0 Regulatory, Antitrust and Trade Compliance/14.1 Licenses and Approvals",
    "14.2": "14.0 Regulatory, Antitrust and Trade Compliance/14.2 Filings and Correspondence with Authorities",
    "14.3": "14.0 Regulatory, Antitrust and Trade Compliance/14.3 Export Controls and Sanctions",
    "14.4": "14.0 Regulatory, Antitrust and Trade Compliance/14.4 Antitrust",
    "14.5": "14.0 Regulatory, Antitrust and Trade Compliance/14.5 Anti-Corruption and Third Parties",
    "15.1": "15.0 Related Party and Miscellaneous/15.1 Related Party Transactions",
    "15.2": "15.0 Related Party and Miscellaneous/15.2 Data Room Index and Requests",
    "16.1": "16.0 Sector Matters/16.1 Product and Franchise Files",
    "16.2": "16.0 Sector Matters/16.2 Health, Drug and Safety Files",
}
"""The index of a room by its codes: where a paper lies."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A line above what follows, without a number."""

    text: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A numbered clause. The layout gives the number; `{§MARK}` in any text of the plant, also in its criteria, becomes it ("14.2").
    `text` does not begin with the number. `sub` are its lettered paragraphs. `mark` names `text` as evidence."""

    heading: str
    text: str
    mark: str = ""
    sub: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph. `mark` names it as evidence; a mark on a sentence within it is written `⟦mark|the sentence⟧` in any text (clauses and
    cells of tables too), so that only these words are the quote."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """A paragraph with a tracked change, where the file can carry one (docx): `before` was deleted, `after` inserted, within the running
    words `lead` and `tail`. `rejected_text_matters` is never needed: the final text is lead + after + tail. `mark` is of the final text."""

    lead: str
    before: str
    after: str
    tail: str
    author: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `mark` names its cells as evidence."""

    cells: tuple[Cell, ...]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """In a workbook a sheet of its own, named `sheet` (31 characters at most); `hidden` hides that sheet. Elsewhere a table with a caption."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    sheet: str = ""
    hidden: bool = False
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Sign:
    """A signature line. Not signed: the line is blank."""

    party: str
    name: str = ""
    title: str = ""
    signed: bool = True
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Signatures:
    lines: tuple[Sign, ...]


@dataclass(frozen=True, slots=True)
class Filler:
    """Where running text that means nothing for the plant goes: `of` is contract, policy, report, minutes, letter or accounts. A paper without one gets it where its family
    has it; short rooms get little of it."""

    of: Literal["contract", "policy", "report", "minutes", "letter", "accounts"]


@dataclass(frozen=True, slots=True)
class Rows:
    """Where the rows of an everyday book go (a ledger, a price list, a log of a server): `of` is one of `books.BOOKS`. Only papers that plant nothing have one."""

    of: str
    seed: str


Block = Heading | Clause | Para | Change | Table | Signatures | Filler | Rows


@dataclass(slots=True)
class Paper:
    """One document to be. `id` is unique in its plant; `{@ID}` in any text of the plant becomes the paper's title, `{file:ID}` its file name.

    `kinds` are the files that it may become, the likeliest first (mail only when `sender` is given). `avoid` are topics on which the
    running text around must be silent, since the plant itself speaks of them or depends on silence: assignment, control, term, termination, exclusivity,
    pricing, liability, confidentiality, ip, insurance, privacy, employment, payment, law, notices. `status` says draft or unsigned for the file's name. `copies`: the
    same bytes also lie in these folders.
    """

    id: str
    title: str
    folder: str
    day: date | None
    blocks: list[Block]
    kinds: tuple[FileKind, ...] = ("docx",)
    avoid: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    sender: str = ""
    to: str = ""
    attached: tuple[str, ...] = ()
    status: str = ""
    copies: tuple[str, ...] = field(default_factory=tuple)


Hub = Literal[
    "merger_agreement",  # section: the article ("Conditions to Closing")
    "disclosure_schedule",  # section: "4.13 Material Contracts"
    "board_minutes",  # section: ISO date of the meeting
    "minute_index",  # a Row of (date, body, subject, file)
    "information_memorandum",  # section: chapter
    "board_deck",  # section: slide title
    "quality_of_earnings",  # section
    "net_debt",  # Rows of (item, amount, note)
    "working_capital",  # Rows of (item, amount, note)
    "cap_table",  # Rows of (holder, class, number, note)
    "contracts_register",  # Rows of (counterparty, agreement, date, annual value, expiry, consent needed)
    "consents_tracker",  # Rows of (counterparty, agreement, needed, status)
    "employee_census",  # Rows of (id, name, title, site, started, salary, status)
    "litigation_register",  # Rows of (matter, forum, claimed, reserve, status)
    "ip_register",  # Rows of (right, number, owner, filed, status)
    "lease_register",  # Rows of (site, landlord, tenant, area, rent, expiry)
    "insurance_register",  # Rows of (line, insurer, policy, from, to, limit)
    "permit_register",  # Rows of (permit, holder, authority, number, expiry)
    "vendor_master",  # Rows of (vendor, purpose, spend, owner)
    "tax_summary",  # section
    "calendar",  # Rows of (deadline, matter, owner)
]
"""Papers of the room that many plants write into. The room makes each from its world and what was added."""


@dataclass(frozen=True, slots=True)
class Added:
    """Something added to a paper that the room shares. Sections of one name are put together. Marks work as in a paper of the plant's own."""

    hub: Hub
    block: Para | Clause | Row | Change
    section: str = ""
