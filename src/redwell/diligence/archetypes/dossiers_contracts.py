"""Contracts, ventures, awards and debt: the kinds of matter that papers on one subject make. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes.dossier import gap, kind_of, largest, yearly
from redwell.diligence.archetypes.dossier_sums import (
    credits_due,
    half_open,
    price_gap,
    rate_times,
    rebate,
    shortfall,
    taken_out,
    two_sums,
    with_premium,
)

KINDS = (
    kind_of(
        "change_of_control_consent", 23, "Contracts", "Consent to the change of control is not in the room", ("owner consent needs !denied", "?end"),
        ("The contract with {s} needs consent or approval of a change of control. Without it {s} could terminate, and the revenue is at risk. The disclosure schedule lists no such consent.",), "Obtain the consent of {s} before, or as a condition of, closing, and have the schedule updated.", "Closing condition (consent); price holdback",
        absent="an executed consent or approval of {s}, in the schedule's list of consents or elsewhere", papers="agreement|contract|terms|order|licen[cs]e|amendment|consent|approval|lease", reckon=yearly, clear="gives_consent",
    ),
    kind_of(
        "change_of_control_termination", 24, "Contracts", "Can be terminated on a change of control", ("owner end !denied !employee_words",),
        ("The contract with {s} can be terminated, or ends, on a change of control. The transaction sets this off: the target could lose it and would have to replace it.",), "Obtain a waiver from {s} before closing, or line up an alternative.", "Closing condition (waiver)",
        papers=r"agreement|contract|terms|order|licen[cs]e|amendment|6·|6\.", reckon=yearly, clear="right_ended",
    ),
    kind_of(
        "change_of_control_payment", 25, "Contracts", "A change of control triggers a payment or a higher price", ("owner pays !denied !employee_words", "?sum year"),
        ("A change of control triggers a payment, fee or higher price to {s}, which is due because of the transaction: the buyer would bear the cost.",), "Deduct the cost under the contract with {s} from the price as a debt-like item, or obtain a waiver.", "Price reduction",
        papers=r"agreement|contract|terms|order|licen[cs]e|amendment|6·|6\.|statement of account", reckon=rate_times, clear="right_ended",
    ),
    kind_of(
        "assignment_by_structure", 26, "Contracts", "A step before closing moves a contract that needs consent", ("assign law needs", "steps"),
        ("The contract with {s} may not be assigned or transferred, also by operation of law or merger, without consent; a step of the structure merges, transfers or contributes it. The step would breach it and be void without consent.",), "Change the step so that the contracting company survives, or obtain the consent of {s} before closing.", "Restructuring; consent",
        papers="steps|structure|reorgani|agreement|contract|carve|contribution|plan of merger", reckon=yearly, clear="gives_consent",
    ),
    kind_of(
        "superseded_term", 27, "Contracts", "A later paper replaced the first terms", ("changed sum",),
        ("The terms with {s} were amended: the first figure is superseded, out of date and overstated.",), "Use the current figure for {s} in the model, and correct the price and the schedule.", "Price on current terms",
        papers="!amend|variation|price|addendum|letter|restated|renewal|change", reckon=gap, clear="never_effective",
    ),
    kind_of(
        "side_letter", 28, "Contracts", "A side letter changes the contract", ("promised concession",),
        ("A letter or message outside the contract (a side letter) gives {s} a credit or discount. Revenue is lower than the contract shows; it is undisclosed and binding.",), "Have the side letter with {s} disclosed, take a representation that there are no others, and adjust the price.", "Disclosure; representation",
        papers="!letter|mail|eml|note|message|memo", reckon=rate_times, clear="promise_ended",
    ),
    kind_of(
        "unsigned_contract", 30, "Contracts", "Contract without the other side's signature", ("unsigned", "?sum year"),
        ("The contract with {s} may not be binding or enforceable without the signature: it cannot be relied on.",), "Have the contract with {s} executed and countersigned before closing.", "Executed copy as closing condition",
        absent="a copy of the contract signed and executed by {s}", papers="!draft|signature|unsigned|for signature", reckon=yearly, clear="signed_copy",
    ),
    kind_of(
        "expired_contract", 31, "Contracts", "Contract has ended and is still performed", ("end dated !owner", "goes_on"),
        ("The contract with {s} has expired and the time to renew or extend it by notice was missed. {s} is served without a contract in force and may stop at will.",), "Renew the contract with {s}, or agree on a transition, before closing.", "Renewal; transition",
        papers=r"agreement|contract|terms|invoices|orders|lease|6·|6\.", reckon=yearly, clear="renewed",
    ),
    kind_of(
        "restriction_binds_group", 32, "Contracts", "Exclusivity or non-compete would bind the buyer's group", ("exclusive group", "?sum year"),
        ("The exclusivity or non-compete towards {s} binds affiliates and so the buyer's group, whose business would breach it: it would have to stop or divest.",), "Obtain a carve-out amendment for the buyer's group from {s} before closing, or a waiver.", "Carve-out amendment",
        papers=r"agreement|terms|exclusiv|sourcing|overlap|covenant|board update|6·|6\.", reckon=yearly, clear="carved_out",
    ),
    kind_of(
        "most_favored_nation", 33, "Contracts", "Best price clause is broken by another customer's price", ("best_price",),
        ("{s} has a most favoured customer (MFN) clause: no lower price to others. Another customer pays less; the price gap breaches the clause, and a refund is owed.",), "Audit the prices against the clause of {s}, and take an indemnity for the refund.", "Audit; indemnity",
        papers=r"price|agreement|amendment|deliveries|contract|credit|6·|6\.|3·2|3\.2", reckon=price_gap, computed=True, clear="not_comparable",
    ),
    kind_of(
        "take_or_pay_shortfall", 34, "Contracts", "Purchases are below the minimum", ("minimum",),
        ("Purchases from {s} are below the minimum (take-or-pay) commitment, and the shortfall is owed and payable.",), "Treat the shortfall towards {s} as debt, or renegotiate.", "Debt-like item",
        papers=r"supply|agreement|terms|purchases|receipts|cells|deliver|contract|6·|6\.", reckon=shortfall, computed=True, clear="counts_as_taken",
    ),
    kind_of(
        "unlimited_liability", 35, "Contracts", "Liability of the target without a limit", ("liable nolimit",),
        ("The target's liability to {s} is unlimited in these respects: no cap holds. A loss could exceed the fees of the contract by far.",), "Negotiate a cap with {s} or take an indemnity, and check the insurance.", "Cap; indemnity; insurance",
        papers=r"agreement|conditions|order|terms|contract|6·|6\.", reckon=None, clear="capped", severity="Medium",
    ),
    kind_of(
        "liquidated_damages", 36, "Contracts", "Credits or liquidated damages have accrued", ("credit level sum",),
        ("Credits or liquidated damages are owed to {s} and not accrued: a liability.",), "Accrue the credits of {s}, or take them off the price.", "Accrual; price",
        papers=r"availab|service level|SLA|arrival|delivery|hosted|agreement|contract|incident|credits|6·|6\.", reckon=credits_due, computed=True, clear="credited",
    ),
    kind_of(
        "non_renewal_notice", 38, "Contracts", "Notice of non-renewal is not in the forecast", ("leaves customer_words", "forecast"),
        ("{s} gave notice that it will not renew, or will reduce; the forecast or model still contains its revenue and is overstated.",), "Haircut the model for {s} and reduce the price.", "Model haircut; price",
        papers="notice|forecast|recurring|letter|renewal|churn|pipeline|budget", reckon=two_sums, clear="stays",
    ),
    kind_of(
        "breach_notice", 39, "Contracts", "Notice of breach without a cure or an answer", ("breach warns", "?cure dated_or_days"),
        ("{s} gave notice of breach or default; the time to cure (cure period) has run. {s} may now terminate and sue.",), "Obtain a standstill, waiver or settlement with {s} as a condition of closing.", "Closing condition (waiver)",
        absent="a response or answer to the notice of {s}, or a cure", papers="!notice|warning|default|breach|complaint|letter|claim", reckon=largest, clear="cured",
    ),
    kind_of(
        "rebate_claim", 40, "Contracts", "Rebate or true-up is owed", ("rebate",),
        ("{s} is owed a rebate (true-up, bonus) on its purchases: a liability that should be accrued.",), "Reserve the rebate of {s}, or deduct it from the price.", "Reserve; price",
        papers=r"rebate|supply|purchases|letter|bonus|true|credit|orders|calculation|money back|6·|6\.", reckon=rebate, computed=True, clear="credited",
    ),
    kind_of(
        "first_refusal", 41, "Contracts", "A right of first refusal stands against a planned sale", ("first !shares", "offer sum"),
        ("{s} holds a right of first refusal or first offer (a right to match). The asset is to be sold: without an offer to {s} the sale breaches its right, and it could block it or claim damages.",), "Offer the asset to {s} first, or obtain its waiver.", "Waiver",
        papers="intent|agreement|contract|offer|yard|line|distribution|lease|option", reckon=largest, clear="declined",
    ),
    kind_of(
        "joint_venture_trigger", 42, "JV", "The partner may buy the target's stake", ("call owner",),
        ("On a change of control the partner may buy (call) the target's stake in {s}, at a price below its value: the target could lose value.",), "Obtain a waiver or consent of the partner in {s}, or leave the stake out of the price.", "Closing condition (waiver)",
        absent="a waiver or consent of the partner in {s}", papers=r"venture|shareholders|partner|members|valuation|fair value|jv|6·3|6\.3|LLC agreement", reckon=gap, clear="waived",
    ),
    kind_of(
        "government_set_aside", 43, "Regulatory", "Award that rests on small business status", ("small", "?ceiling sum"),
        ("Award {s} rests on small business (set-aside, 8(a)) status or needs a novation; after the change it may be terminated or not extended, and the remaining ceiling is at risk.",), "Seek a novation plan or waiver for {s}, or leave it out of the price.", "Novation plan; price",
        papers=r"award|task order|contract|billing|6·4|6\.4|orders under", reckon=half_open, clear="waiver_granted",
    ),
    kind_of(
        "guarantee_falls_away", 44, "Contracts", "Security falls away at closing", ("support sum", "support end"),
        ("The guarantee or letter of credit for {s} ends, is withdrawn or cancelled at closing. Without it the target is in default, and {s} may stop or terminate.",), "Replace the guarantee or letter of credit for {s} at closing.", "Replacement at closing",
        papers=r"guarant|letters? of credit|bond|agreement|contract|standby|4·4|4\.4", reckon=largest, clear="replaced",
    ),
    kind_of(
        "escrow_release", 45, "Tech", "Source code is released on the change of control", ("owner release code",),
        ("A change of control entitles {s} to the release of the source code: its trade secrets are exposed and lose value.",), "Amend the escrow agreement with {s}, or obtain a waiver.", "Amendment or waiver",
        papers=r"escrow|deposit|source|7·5|7\.5", clear="right_ended",
    ),
    kind_of(
        "change_of_control_default", 46, "Debt", "Change of control is a default or lets the debt be called", ("owner default loan",),
        ("A change of control is an event of default under the loan of {s}, or lets holders put the notes (repurchase at 101). The principal outstanding must be repaid.",), "Refinance or obtain a payoff letter, waiver or consent of {s}, in the funds flow.", "Funds flow; payoff",
        papers=r"loan|indenture|notes|credit|facility|bond|4·|4\.", reckon=with_premium, clear="lender_agreed",
    ),
    kind_of(
        "covenant_breach", 47, "Debt", "Covenant is broken once the figures are corrected", ("ratio loan_or_limit", "?add_back"),
        ("The ratio certified to {s} is corrected once EBITDA is adjusted: it would be above the covenant, which is a breach and default.",), "Obtain a waiver of {s} as a condition of closing, or repay it.", "Closing condition (waiver)",
        papers="!covenant|compliance|facility|credit|certificate|test", reckon=taken_out, computed=True, clear="lender_agreed",
    ),
    kind_of(
        "unreleased_lien", 48, "Debt", "Lien still of record after payoff", ("lien record", "paidoff"),
        ("The lien (security interest, mortgage or filing) of {s} is still of record although the debt was paid.",), "Obtain and file the termination or release of {s} at closing.", "Releases at closing",
        absent="a termination statement (UCC-3), satisfaction, discharge or release of {s}", papers=r"ucc|lien|title|payoff|mortgage|release|satisfaction|search|4·2|4\.2", reckon=largest, clear="lien_released",
    ),
    kind_of(
        "debt_like_items", 49, "Debt", "Debt-like item left out of net debt", ("debtlike pays", "?sum"),
        ("{s}: the sum is debt-like (advances with recourse, retention, deferred or accrued fees and tax) and is not counted in net debt.",), "Treat the sums for {s} as indebtedness and deduct them from the price.", "Price adjustment (debt)",
        papers=r"receivables|funding statement|retention|deferred|factoring|fees|4·|4\.|3·4|3\.4|plan", reckon=two_sums, clear="counted",
    ),
    kind_of(
        "guarantee", 50, "Debt", "Guarantee or loan for others that is not disclosed", ("guarantees sum",),
        ("The target guarantees, or has lent, sums for {s}: a guaranty, contingent liability or intercompany loan (advance).",), "Obtain a release of the guarantee for {s}, or repayment, at closing.", "Release",
        absent="an entry for it in the debt list or disclosure schedule", papers=r"guarant|confirmation|receivables|comfort|affiliate|surety|intercompany|loan|4·4|4\.4|advance", reckon=largest, clear="released_guarantor",
    ),
    kind_of(
        "prepayment_cost", 51, "Debt", "Repaying the debt costs a premium", ("prepay premium", "?loan"),
        ("Prepaying {s} early (redemption, termination or unwinding) costs a premium, make-whole or break cost.",), "Put the premium for {s} into the funds flow and deduct it from the price.", "Funds flow; price",
        papers=r"loan|notes|swap|hedge|isda|prepay|worksheet|closing timetable|4·|4\.", reckon=rate_times, clear="no_premium",
    ),
)  # fmt: skip
