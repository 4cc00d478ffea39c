"""The company and its shares, the deal and its papers: the kinds of matter that papers on one subject make. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes.dossier import all_sums, kind_of, largest, stake_at_price
from redwell.diligence.archetypes.dossier_sums import above_limit, against_schedule, only_more, over_reserve, table_gap

KINDS = (
    kind_of(
        "cap_table_differs", 1, "Corporate", "Capitalization table differs from the ledger", ("shares moved", "?shares register"),
        ("The capitalization table shows another number for {s} than the ledger or the papers on the shares.",), "Have the capitalization table corrected and reconciled for {s}, and the payment spreadsheet certified.", "Corrected schedule; fundamental representation",
        papers="!capitali[sz]ation|cap table|ledger|exercise|repurchase|share", reckon=table_gap, computed=True, clear="",
    ),
    kind_of(
        "options_above_reserve", 2, "Corporate", "Options above the plan's reserve", ("reserve shares", "options"),
        ("Options under {s} were granted above the reserve that is authorized and available.",), "Have the grants under {s} ratified and the increase approved by the stockholders before closing, or take an indemnity.", "Ratification; indemnity",
        absent="an executed approval of the stockholders, or consent, to an increase for {s}", papers="!plan|option|grant|incentive|equity", reckon=over_reserve, computed=True, clear="increased_pool",
    ),
    kind_of(
        "no_board_approval", 3, "Corporate", "Act above the limit of authority without approval", ("authority consent above", "?pays", "?authority met"),
        ("The act exceeds the authority of those who signed for {s}: it is above the limit and may be challenged.",), "Have the board ratify the contract with {s} by a resolution before closing.", "Ratification as closing condition",
        absent="an approval or resolution of the board on {s} (minutes or consent)", papers="authority|bylaws|matrix|minutes|board|consent of directors|policy", reckon=above_limit, computed=True, clear="board_resolved",
    ),
    kind_of(
        "minute_book_gap", 4, "Corporate", "Minutes of a decision that others cite are not there", ("met dated authority",),
        ("A decision was taken at a meeting on {s}, and other papers rest on it: it was passed or adopted there.",), "Request the minutes of {s}, or an officer's certificate and a ratification.", "Officer's certificate; ratification",
        absent="minutes or a record of the meeting on {s} in the minute book", papers="!minute|agenda|binder|resolution|committee|certificate|auditor", clear="signed_minutes", severity="Medium",
    ),
    kind_of(
        "governing_document_defective", 5, "Corporate", "Governing document unsigned or wrongly filed", ("charter",),
        ("The governing document of {s} is unsigned, not executed, or the wrong version was filed: it differs from what was resolved. Those who act under it may lack authority, and what was authorized by it may be invalid.",), "Have the governing document of {s} executed and refiled, or corrected and ratified, before closing.", "Re-execution and filing",
        papers="!charter|bylaws|articles|incorporation|filing|company agreement|operating agreement|constitution|formation", clear="corrected", severity="Medium",
    ),
    kind_of(
        "good_standing", 6, "Corporate", "Not in good standing or not qualified where it operates", ("standing", "trades"),
        ("{s} is not in good standing, was dissolved or its charter revoked, or is not qualified in the state in which it employs people, leases premises or operates its business.",), "Have {s} cure this before closing: reinstate or qualify it, file what is overdue and pay the fees.", "Cure before closing",
        papers=r"!dissol|standing|qualif|franchise|2·3|2\.3|subsidiar|payroll by|foreign|registration|charter", reckon=all_sums, clear="reinstated",
    ),
    kind_of(
        "subsidiary_holder_differs", 7, "Corporate", "Register names another holder of a subsidiary", ("register shares", "?hands_over"),
        ("The register of {s} records another holder than the organization chart: the shares are held by, and in the name of, somebody else.",), "Obtain a confirmatory transfer of the shares in {s} and have it registered, as a condition of closing.", "Confirmatory transfer; closing condition",
        absent="an executed transfer, deed or assignment of the shares in {s}", papers="!register of members|organi[sz]ation chart|unit ledger|instrument of transfer|assignment of units|share transfer|subsidiar|stock power|completion|extract", reckon=largest, clear="transferred",
    ),
    kind_of(
        "preemption", 8, "Corporate", "Right of first refusal or pre-emption was not run", ("first shares",),
        ("{s} has a right of first refusal or a pre-emptive right to subscribe its pro rata part. Without it the issue or transfer of the shares may be challenged, and title to them is in doubt.",), "Obtain a waiver of {s}, or its consent and ratification, as a condition of closing.", "Waivers as closing condition",
        absent="a notice to {s}, a reply, offer or executed waiver, by which the right was waived", papers=r"investor|stockholders|shareholders|rights agreement|first refusal|stock power|2·5|2\.5", reckon=stake_at_price, clear="waived",
    ),
    kind_of(
        "investor_veto", 9, "Corporate", "An investor's letter can block the deal or costs money", ("investor_right owner shares", "?shares"),
        ("{s} has a veto: its consent or approval is required, and it could block the merger, or may require the company to buy its shares back (a put) above what others get, in cash.",), "Obtain the consent of {s} and a termination or waiver of its rights at closing.", "Termination letter at closing",
        papers=r"!side letter|investor|liquidity|stockholders|letter agreement|shareholders|2·5|2\.5|preferred", reckon=stake_at_price, clear="rights_ended",
    ),
    kind_of(
        "class_vote_or_appraisal", 10, "Corporate", "Class vote or appraisal rights were overlooked", ("dissent", "?shares"),
        ("The separate vote (class vote) of {s} has not been obtained, or the notice of appraisal rights was given too late.",), "Re-solicit the consent or vote of {s}, send the notice anew, and make a limit on appraisal claims a closing condition.", "Appraisal-out condition",
        papers="apprais|tabulat|certificate of incorporation|consents|mailing|proxy|series|vote", reckon=stake_at_price, clear="voted",
    ),
    kind_of(
        "prior_earn_out", 11, "Corporate", "Earn-out of an earlier deal is unpaid", ("earn_out pays", "?earn_out met_goal"),
        ("The earn-out (contingent milestone payments) for {s} has fallen due.",), "Take a specific indemnity or escrow for the earn-out of {s}, or have it paid before closing.", "Specific indemnity; escrow",
        absent="an executed receipt, proof of payment or discharge of {s}", papers="milestone|earn|purchase agreement|merger agreement|representative|acquisition|holders", reckon=all_sums, clear="paid_out",
    ),
    kind_of(
        "shares_miscounted", 12, "Corporate", "Shares that are not outstanding are counted in the consideration", ("not_outstanding shares", "consideration"),
        ("The shares of {s} are not outstanding: they are in treasury, in escrow, were repurchased or return and are retired. They are wrongly included in the count and should not be paid for.",), "Correct the count of shares and the payment spreadsheet for {s}.", "Price mechanics",
        papers="!payment|consideration|count of shares|escrow|treasury|repurchase|spreadsheet|buy-?back", reckon=stake_at_price, clear="",
    ),
    kind_of(
        "related_party", 13, "Related party", "Contract with an insider", ("insider owns", "pays year"),
        ("{s} is owned or controlled by an officer or director, or a relative: a related party. The interest is undisclosed: it is not listed in the disclosure schedule.",), "Have the contract with {s} disclosed, and terminated or put on market terms at closing.", "Arm's length terms or termination",
        papers="questionnaire|members of|vendor|lease|benchmark|apprais|director|officer|owner", reckon=only_more, clear="disclosed",
    ),
    kind_of(
        "adviser_conflict", 14, "Corporate", "Conflict of an adviser or director was not disclosed", ("adviser buyer_side pays_or_holds", "told_board authority"),
        ("{s} has an interest on the other side (a fee, financing or stock of the buyer): a conflict of interest that was not disclosed to the board.",), "Have supplemental disclosure made of the interest of {s}, and the decision ratified by directors without an interest.", "Supplemental disclosure; ratification",
        papers="fee|questionnaire|engagement|minutes|board|advis", reckon=largest, clear="declared",
    ),
    kind_of(
        "claim_not_scheduled", 16, "Disclosure", "Claim above the threshold is not scheduled", ("claims_sum sum",),
        ("{s} makes a claim or demand that is above the threshold of $500,000 or such other amount as the agreement sets.",), "Have the schedule updated for the claim of {s}, and take an indemnity for it.", "Schedule correction; indemnity",
        absent="an entry for {s} in the disclosure schedule", papers=r"!demand|mediat|complaint|claim|charge|letter before|dispute|10·|10\.", reckon=largest, clear="settled_claim",
    ),
    kind_of(
        "schedule_contradicts_source", 17, "Disclosure", "Disclosure schedule contradicts its source", ("schedule_row sum",),
        ("The disclosure schedule gives another figure for {s} than the source: they differ, and the schedule is incorrect.",), "Have the disclosure schedule corrected for {s}, with a representation.", "Schedule correction; representation",
        reckon=against_schedule("sum"), computed=True, clear="", severity="Medium",
    ),
    kind_of(
        "schedule_day_differs", 17, "Disclosure", "Disclosure schedule contradicts its source", ("schedule_row dated",),
        ("The disclosure schedule gives another date for {s} than the source: they differ, and the schedule is incorrect.",), "Have the disclosure schedule corrected for {s}, with a representation.", "Schedule correction; representation",
        reckon=against_schedule("day"), computed=True, clear="", severity="Medium",
    ),
    kind_of(
        "approval_not_a_condition", 19, "Deal", "Approval of an authority is not a condition of closing", ("regulator owner consent",),
        ("The acquisition (a transfer of control) needs the approval or consent of the authority for {s}.",), "Add the approval for {s} as a closing condition, with a covenant to apply for it.", "Closing condition; covenant",
        absent="the approval for {s} among the conditions of closing", papers=r"authori[sz]ation|award|grant|licen|permit|franchise|call sign|certificate|14·|14\.|regulat|notice|statute", reckon=largest, clear="condition_met",
    ),
    kind_of(
        "outside_date_too_early", 20, "Deal", "Outside date lies before the approval can be expected", ("regulator expects dated",),
        ("The decision on {s} is expected only after the outside date of the agreement.",), "Agree on an extension right of the outside date for {s}.", "Extension right",
        papers="counsel|timeline|timetable|clearance|cfius|case|hsr|merger control|review|ticking|fee summary", reckon=largest, clear="", severity="Medium",
    ),
    kind_of(
        "interim_covenant_breach", 21, "Deal", "Covenant for the time until closing was broken", ("act_after_signing sum", "?consent buyer_side"),
        ("The act for {s} was not permitted without the buyer's prior written consent: it breaches the interim covenant.",), "Obtain the buyer's consent to the act for {s} or a remedy in price.", "Consent or remedy",
        papers="!purchase order|bonus|parent consent|requests? to parent|interim|hire|raise|dividend|capital expenditure", reckon=largest, clear="buyer_agreed",
    ),
    kind_of(
        "funding_shortfall", 22, "Deal", "The deal is not fully funded", ("funding sum",),
        ("The uses are not fully funded: with {s} there is a shortfall between sources and what is needed.",), "Require an equity backstop for the gap that {s} leaves.", "Equity backstop",
        papers=r"!financing|term sheet|commitment|sources|uses|funds flow|1·4|1\.4|treasurer", reckon=largest, clear="", severity="Medium",
    ),
)  # fmt: skip
