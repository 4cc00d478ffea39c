"""Sites, environment, authorities, trade and competition: the kinds of matter that papers on one subject make. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes.dossier import kind_of, largest, yearly
from redwell.diligence.archetypes.dossier_sums import days_times, only_more, rent_gap, two_sums

KINDS = (
    kind_of(
        "landlord_consent", 104, "Real estate", "Landlord's consent is absent", ("lease owner consent needs !denied", "?sum year"),
        ("The lease of {s} requires the consent of the landlord to a transfer of the shares or a change of control.",), "Obtain the landlord's consent and an estoppel certificate for {s}, as a condition of closing.", "Consent as closing condition",
        absent="an executed consent, approval or estoppel of the landlord of {s}", papers=r"!lease|landlord|sublease|occupancy|tenancy|11·1|11\.1", reckon=yearly, clear="landlord_ok",
    ),
    kind_of(
        "lapsed_option", 105, "Real estate", "Option to extend a lease has lapsed", ("option_late lease_or_year ahead", "asked dated_or_days"),
        ("The notice by which the lease of {s} was to be extended came too late: the option has lapsed, and the term ends.",), "Negotiate an extension or amendment of the lease of {s}, or reduce the price.", "Amendment; price",
        papers=r"!lease|extension|rents?|renewal|option|11·|11\.", reckon=rent_gap, clear="option_kept",
    ),
    kind_of(
        "site_without_title", 106, "Real estate", "Operating site without deed or lease", ("site used_site !site_title", "?sum site"),
        ("{s} is a site that is in use and operated, and no paper shows a right to occupy it.",), "Obtain the lease or deed of {s} as proof of title, before closing.", "Title proof as closing condition",
        absent="a lease, deed, title or licence to occupy for {s}", papers=r"!electricity|meters|footprint|moving|store|census|site list|utilit|security rota|11·|11\.", reckon=largest, clear="site_title",
    ),
    kind_of(
        "dormant_tenant", 107, "Real estate", "Lease or permit is held by a dormant affiliate", ("dormant", "holder_paper"),
        ("The holder of the lease or permit for {s} is dormant, dissolved or void, and is not the company that operates there.",), "Have the lease or permit of {s} assigned, transferred or reissued to the operating company.", "Assignment",
        papers="!permit|lease|entit|holdings|earnings", reckon=largest, clear="passed_on",
    ),
    kind_of(
        "estoppel_defaults", 108, "Real estate", "Estoppel shows defaults or restoration", ("estoppel", "estoppel sum"),
        ("The landlord of {s} claims arrears of rent that are overdue, and restoration (removal, surrender) at the end.",), "Have the defaults at {s} cured and paid, or an escrow or holdback set up.", "Escrow",
        papers="!estoppel|lease|restoration|landlord|surrender", reckon=two_sums, clear="rent_paid",
    ),
    kind_of(
        "title_defect", 109, "Real estate", "Title, easement, encroachment or zoning defect", ("title", "title_cost sum"),
        ("The title or use of {s} is defective: a lien, easement, encroachment, or a zoning or conditional use permit that has expired.",), "Cure the defect of {s}, obtain a renewal of the permit, and title insurance with an endorsement.", "Title policy; cure",
        absent="a renewal, release, extension or new permit for {s}", papers=r"!zoning|title|survey|easement|encroach|conditional|deed|rezoning|11·2|11\.2", reckon=largest, clear="title_cured",
    ),
    kind_of(
        "stale_environmental_assessment", 110, "Environmental", "Environmental assessment is out of date", ("esa dated", "?cleanup sum"),
        ("The Phase I assessment of {s} is stale: its parts are older than 180 days, and it is out of date at closing.",), "Commission a new Phase I (and Phase II) for {s}, as a condition.", "New assessment as closing condition",
        papers=r"!phase|environmental|esa|assessment|12·|12\.", reckon=largest, clear="new_esa", severity="Medium",
    ),
    kind_of(
        "environmental_reserve", 111, "Environmental", "Environmental reserve below the estimate", ("env_reserve reserve_booked sum", "estimate sum"),
        ("The reserve (accrual) for {s} is inadequate: it is below the consultant's estimate.",), "Set up an environmental escrow and a specific indemnity for {s}.", "Environmental escrow",
        papers=r"environment|remediation|accru|consultant|reserve|12·|12\.", reckon=only_more, clear="reserve_raised",
    ),
    kind_of(
        "permit_wrong_holder", 112, "Environmental", "Permit expired, or in another's name", ("permit permit_fault", "?sum"),
        ("The permit for {s} has expired, or is in the name of a predecessor (former owner), and was not transferred: without a valid permit operation must stop.",), "Obtain a renewal or transfer of the permit {s}, as a condition of closing.", "Transfer as closing condition",
        absent="a renewal, renewed permit or approval of the transfer for {s}", papers=r"!permit|transfer form|renewal application|discharge|outage|12·2|12\.2", reckon=days_times, clear="permit_ok",
    ),
    kind_of(
        "closure_records", 113, "Environmental", "Tank, asbestos or wetland records missing", ("closure", "closure_cost sum"),
        ("Tanks (underground, registered), asbestos or wetlands at {s} have no records of closure, survey or inspection.",), "Request and obtain the records for {s}, or commission a survey or Phase II, as a covenant.", "Covenant",
        absent="a closure report, closure record, asbestos survey or inspection for {s}", papers=r"!tank|asbestos|boiler|demolition|inventory|registry|wetland|capital request|12·|12\.", reckon=largest, clear="closure_ok",
    ),
    kind_of(
        "violation_penalties", 114, "Environmental", "Penalty range of a violation is disputed", ("violation",),
        ("The violation {s} carries a penalty for each day; the company disputes the days, whereas the authority counts more.",), "Settle {s}, or take an indemnity or escrow.", "Indemnity",
        papers=r"!violation|nov |penalty|docket|response|12·|12\.", reckon=days_times, clear="violation_over",
    ),
    kind_of(
        "approval_not_filed", 118, "Regulatory", "Approval of the change of control was not applied for", ("licence_held authority_word owner needs", "?sum year"),
        ("The licence {s} needs the approval or consent of the authority for a transfer of control.",), "File the application for {s} and make the approval a condition of closing.", "Approval as closing condition",
        absent="an application for, or an approval or consent of the authority to, the transfer of {s} (a filing)", papers=r"!licen|authori[sz]ation|call sign|approvals|charter|14·|14\.|gauge", reckon=yearly, clear="condition_met",
    ),
    kind_of(
        "overdue_filing", 119, "Regulatory", "Filing is overdue and nobody owns it", ("filing_due dated nobody", "?filing_due sum"),
        ("The filing {s} was due and is overdue or has no owner (TBD, unassigned).",), "File {s} at once, before closing.", "File now",
        absent="a receipt, copy or confirmation that {s} was filed or submitted", papers=r"!tracker|calendar|form|report|commission|filing|14·|14\.", reckon=days_times, clear="filed_ok",
    ),
    kind_of(
        "filing_contradicted", 120, "Regulatory", "Statement to an authority contradicted by records", ("told_authority authority_word", "records_say"),
        ("What was certified or filed under {s} is contradicted by the records (log, monitor data, complaints): it is inaccurate.",), "Correct or supplement the filing under {s}, and disclose.", "Supplemental filing",
        papers=r"!certification|report under|complaint log|stack|filing|cpsc|white paper|14·2|14\.2", clear="supplemented",
    ),
    kind_of(
        "unscheduled_registration", 121, "Regulatory", "Registration missing from the schedule", ("product_reg",),
        ("{s} is registered, cleared or held by the company, and the disclosure schedule is incomplete: it must be corrected.",), "Correct and update the schedule for {s}.", "Schedule correction",
        absent="{s} in the disclosure schedule", papers="!clearance|register|registration|premarket|product list|510|ind |portfolio", clear="", severity="Medium",
    ),
    kind_of(
        "sanctioned_party", 122, "Trade", "Dealings with a sanctioned party or region", ("sanction", "dealings"),
        ("Dealings with {s} may violate sanctions (OFAC): it is owned by a listed person (50 percent rule, SDN list) or delivers to an embargoed region such as Crimea. A violation is prohibited whatever its size.",), "Stop dealings with {s}, consider a voluntary disclosure, and take an indemnity.", "Voluntary disclosure; indemnity",
        absent="a screening of {s}", papers=r"ledger|sales|extract|freight|list entry|reseller|screen|14·3|14\.3|vendor", reckon=largest, clear="sanction_clear",
    ),
    kind_of(
        "export_scope", 123, "Trade", "Export authorisation exceeded", ("export", "export_acts"),
        ("Transfers under {s} exceed the scope of the authorisation: they went beyond its territory or persons, and were not authorized.",), "Stop the transfers under {s}, and consider a voluntary disclosure and an amendment.", "Voluntary disclosure",
        papers=r"!technical|transfers|export|licen|14·3|14\.3", clear="export_ok",
    ),
    kind_of(
        "agent_commission", 124, "ABC", "Intermediary with an abnormal commission", ("agent abnormal", "?sum"),
        ("{s} is paid an abnormal commission: a red flag of corruption (bribery, FCPA, improper payment).",), "Investigate the payments to {s} (a forensic review), and exit.", "Investigation; exit",
        absent="a due diligence file (integrity check, vetting) on {s}", papers="!agen|commission|consult|invoices|intermediar|clearing", reckon=largest, clear="agent_ok",
    ),
    kind_of(
        "hot_document", 125, "Antitrust", "Document contradicts the market story", ("hot", "market"),
        ("A hot document on {s} contradicts what was told of its market: rivals, shares and prices. Antitrust risk: a second request, remedies, a divestiture.",), "Consult antitrust counsel on {s}, and agree a covenant on remedies.", "Counsel; covenant",
        papers=r"!hsr|white paper|market|pricing|board update|narrative|14·|14\.", clear="hot_ok",
    ),
    kind_of(
        "filing_or_gun_jumping", 126, "Antitrust", "Filing missed or gun-jumping", ("gun", "antitrust_rule"),
        ("The conduct or transaction on {s} required a filing or falls into the waiting period (HSR Act, gun-jumping): it must be notified, a standstill applies.",), "File or notify for {s} as a condition, and put in place a protocol and clean team.", "Filing; protocol",
        papers=r"!hsr|turnover|discounts|where to file|timetable|thresholds|filing|14·|14\.", reckon=days_times, clear="gun_ok",
    ),
    kind_of(
        "sector_rule", 127, "Sector", "Rule of the sector is broken", ("sector", "sector_fault"),
        ("{s}: the rule of the sector was not kept (observations, disclosure or referral rules); it is overdue or late, and enforcement such as a warning letter may follow.",), "Respond and remediate {s}, close the point before closing, or take an indemnity or escrow.", "Cure as closing condition",
        absent="a response or answer on {s}", papers=r"!483|observation|franchise|fdd|physician|medical|referral|16·|16\.|recall", reckon=largest, clear="sector_ok",
    ),
)  # fmt: skip
