"""Earnings, cash and tax: the kinds of matter that papers on one subject make. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes.dossier import all_sums, kind_of, largest, stake_at_price
from redwell.diligence.archetypes.dossier_sums import add_back, only_more, parachute, rate_times

KINDS = (
    kind_of(
        "working_capital_peg", 52, "Finance", "Working capital peg leaves out a liability", ("peg omits", "?sum"),
        ("The liability to {s} is excluded from the working capital peg (target): it is misstated, and the buyer would bear it.",), "Reset the peg for {s}, or treat it as indebtedness.", "Peg reset",
        papers=r"working capital|peg|statement|target|trial balance|payable|accru|3·4|3\.4", reckon=largest, clear="counted",
    ),
    kind_of(
        "add_back_unsupported", 53, "Finance", "Add-back recurs", ("add_back sum", "recurs sum"),
        ("The add-back for {s} is unsupported: the cost recurs and is ongoing.",), "Reverse the add-back for {s} in EBITDA and reduce the price.", "Price",
        papers=r"adjust|add|earnings|budget|statement of account|quality|invoice|3·3|3\.3", reckon=add_back, clear="over_for_good",
    ),
    kind_of(
        "early_revenue", 55, "Finance", "Revenue recognised too early", ("early_revenue", "booked sum"),
        ("Revenue from {s} was recognised too early, in the wrong period: there is a right of return, or the goods were in the warehouse and not delivered. It should be reversed.",), "Reverse the revenue of {s}, restate the period, and take a specific indemnity.", "Restatement; indemnity",
        papers=r"revenue|journal|shipment|stock|letter|storage|goods|closing entr|3·2|3\.2|order", reckon=largest, clear="control_passed",
    ),
    kind_of(
        "forecast_missed", 56, "Finance", "Forecast is stale", ("forecast earnings", "actual earnings"),
        ("The forecast for {s} is stale: the actual result fell short of it.",), "Recompute the price on the actual results of {s}.", "Haircut; price",
        papers=r"model|forecast|budget|results|plan|memorandum|3·5|3\.5", reckon=only_more, clear="updated",
    ),
    kind_of(
        "one_off_cash", 57, "Finance", "One-off cash flatters cash flow", ("cash_once sum", "cash_flow"),
        ("Cash flow is flattered by {s}: the receipt in advance or the payment held back is one-off and will not recur.",), "Normalise cash flow for {s} in the price.", "Normalise; price",
        papers=r"cash|prepay|treasury|invoices|3·4|3\.4", reckon=largest, clear="recurs_yearly",
    ),
    kind_of(
        "trapped_cash", 58, "Finance", "Restricted cash counted as cash", ("trapped sum", "?cash row"),
        ("The net debt calculation includes the cash at {s} in full, although it is restricted or trapped and not free.",), "Exclude the restricted cash at {s} from net debt.", "Net-debt item",
        papers=r"cash|balances|collateral|bridge|net debt|account|3·4|3\.4|bank", reckon=all_sums, clear="freed",
    ),
    kind_of(
        "deferred_capex", 59, "Finance", "Capital expenditure put off", ("capex_needed sum", "capex_spent sum"),
        ("The plan required more capital expenditure at {s} than was spent: the gap was deferred and is a backlog.",), "Deduct the backlog at {s} from the price as a debt-like item.", "Price",
        papers=r"plan|survey|condition|additions|outlays|capex|replacement|maintenance|3·|3\.", reckon=only_more, clear="caught_up",
    ),
    kind_of(
        "loss_limitation", 60, "Tax", "Tax losses cannot be used in full", ("loss sum", "loss_limit"),
        ("The net operating losses of {s} cannot be used as modelled: they are limited (section 382, an ownership change) or expire.",), "Correct the model for the losses of {s}, and take a tax representation.", "Model; tax representation",
        papers=r"loss|nol|owner shift|382|tax|5·|5\.", reckon=rate_times, clear="no_limit",
    ),
    kind_of(
        "sales_tax_nexus", 61, "Tax", "Sales tax not collected", ("sales_tax", "?sum"),
        ("Sales in {s} create nexus: sales tax should have been collected and is owed.",), "Register in {s}, file a voluntary disclosure, and take a tax indemnity.", "Voluntary disclosure; indemnity",
        absent="a sales tax registration in {s}", papers=r"sales tax|nexus|tax|state|5·|5\.", reckon=rate_times, clear="registered",
    ),
    kind_of(
        "transfer_pricing_gap", 62, "Tax", "Intercompany royalty under-accrued", ("intercompany", "booked sum"),
        ("The royalty or charge with {s} was under-accrued.",), "Take a tax indemnity for {s}, and have the transfer pricing study made.", "Tax indemnity",
        absent="transfer pricing documentation for {s} (a study or local file)", papers=r"!intercompany|licen|know-how|transfer|economist|pricing|5·3|5\.3", reckon=rate_times, clear="made_good",
    ),
    kind_of(
        "tax_claim_open", 63, "Tax", "Open tax claim not disclosed", ("tax_claim sum",),
        ("A tax claim (deficiency, assessment or examination) against {s} is open; the disclosure schedule omits or contradicts it.",), "Obtain a pre-closing tax indemnity and escrow for {s}, and correct the schedule.", "Tax indemnity; escrow",
        papers=r"!deficiency|examination|audit|assessment|tax|5·2|5\.2|letter", reckon=all_sums, clear="tax_closed",
    ),
    kind_of(
        "golden_parachute", 64, "Tax", "Parachute payments above three times the base amount", ("parachute", "salary sum"),
        ("The payments to {s} exceed three times the base amount: section 280G applies, with the excise tax of 20% (section 4999).",), "Obtain a waiver and stockholder vote for {s}, or an indemnity.", "Vote; waiver",
        papers="change in control|numbers|wages|retention|severance|w-2|parachute|280g", reckon=parachute, computed=True, clear="cut_back",
    ),
    kind_of(
        "no_83b_election", 65, "Tax", "Section 83(b) election missing", ("election83 shares",),
        ("{s} holds restricted shares; the election was due within 30 days.",), "Take an indemnity for the tax on the shares of {s}; request proof of the election.", "Indemnity",
        absent="a section 83(b) election of {s}", papers=r"!ledger|election|restricted|stock purchase|2·4|2\.4", reckon=stake_at_price, clear="election_filed",
    ),
    kind_of(
        "grant_repayable", 66, "Tax", "Grant must be repaid", ("grant payback", "?owner"),
        ("The grant or incentive of {s} must be repaid on the change of control, or if the site is relocated or moved.",), "Obtain a waiver or undertaking of {s} as a condition of closing.", "Undertaking; closing condition",
        papers=r"grant|award|incentive|abatement|fund|authority|integration|5·|5\.", reckon=largest, clear="waived",
    ),
    kind_of(
        "withholding_tax", 67, "Tax", "Tax not withheld at source", ("withheld", "?sum"),
        ("Nothing was withheld from payments to {s}, although tax should have been: it is owed.",), "Take a tax indemnity for the payments to {s}, and disclose.", "Tax indemnity",
        papers="!payments|interest|royalt|withh|w-8|loan|abroad|foreign|services", reckon=rate_times, clear="treaty_held",
    ),
    kind_of(
        "spin_off_restriction", 68, "Tax", "Spin-off covenant against being acquired", ("spin owner", "?sum"),
        ("The tax covenant on the distribution of {s} restricts a sale within two years: the deal could make it taxable (section 355).",), "Obtain an unqualified opinion or ruling as to {s}, as a condition of closing.", "Opinion as closing condition",
        papers="!separation|tax matters|distribution|spin|tax sharing|sale", reckon=rate_times, clear="opinion_given",
    ),
)  # fmt: skip
