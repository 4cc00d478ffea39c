"""People, plans, disputes and insurance: the kinds of matter that papers on one subject make. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes.dossier import kind_of, largest
from redwell.diligence.archetypes.dossier_sums import (
    deficit,
    earned_less_booked,
    instalments,
    missed_reports,
    only_more,
    per_head,
    rate_times,
    two_sums,
)

KINDS = (
    kind_of(
        "paid_at_closing", 87, "Employment", "Single-trigger payments at closing", ("closing_pay salary sum_or_multiple",),
        ("{s} is paid on the change of control alone (single trigger), whether or not the person stays.",), "Treat the payment to {s} as a transaction expense in the price, or obtain waivers and a new retention plan.", "Price; retention plan",
        papers=r"!employment|bonus|change in control|retention|award|letters|9·1|9\.1|equity", reckon=largest, clear="payment_waived",
    ),
    kind_of(
        "key_person_free", 88, "Employment", "Key person without a covenant", ("key", "unbound"),
        ("The business depends on {s} (patents, technology, accounts with a share of revenue), who is free to leave or to join a competitor.",), "Obtain a new agreement with {s}, with a covenant and retention pay, as a condition of closing.", "Agreement as closing condition",
        absent="an executed restrictive covenant or retention agreement of {s}", papers=r"accounts by|offer letter|papers|covenant|employment|key|organi|9·1|9\.1|manager", clear="person_bound",
    ),
    kind_of(
        "contractors_misclassified", 89, "Employment", "Contractors may be employees", ("treated_as", "like_staff"),
        ("The contractors (freelancers, 1099) at {s} are supervised and integrated like employees and may be misclassified.",), "Take an indemnity for the contractors at {s}, and convert them.", "Indemnity",
        papers=r"!contractor|crew|hours|freelanc|statement of work|9·2|9\.2|drivers|couriers", reckon=per_head, clear="free_contractors",
    ),
    kind_of(
        "collective_uninsured", 90, "Employment", "Wage collective exceeds the insurance", ("wage_class",),
        ("The plaintiffs of the collective or class in {s} have joined; their damages exceed the insurance sublimit that is left and are uninsured.",), "Obtain a special indemnity and escrow for {s}.", "Special indemnity",
        papers=r"!order in|count|collective|class|docket|loss run|opt|plaintiff|9·|9\.", reckon=per_head, clear="case_over",
    ),
    kind_of(
        "union_denied", 91, "Employment", "Union or petition that the papers deny", ("union", "?no_union"),
        ("At {s} people are represented by, or have petitioned for, a union; the memorandum says otherwise and contradicts this. The buyer must bargain and is bound as successor.",), "Correct the schedule and change the model for the union at {s}, with a covenant.", "Covenant; model",
        papers=r"!petition|union|collective|benefits summary|board notice|labor|local|9·|9\.", clear="union_gone",
    ),
    kind_of(
        "plan_underfunded", 92, "Employment", "Pension liability left out of net debt", ("pension sum",),
        ("{s}: the liability is unfunded, to be counted as debt-like, and left out of net debt; closing or leaving, it falls due on withdrawal.",), "Treat the deficit of {s} as debt in the price.", "Debt-like item",
        papers="!pension|retirement|actuar|fund|plan|withdrawal", reckon=deficit, computed=True, clear="counted",
    ),
    kind_of(
        "plan_failure", 93, "Employment", "Plan not run by its terms", ("plan_fault", "?sum"),
        ("{s}: the contribution was suspended or not paid as the plan requires; it needs correction, and a penalty may be due.",), "Correct {s} by a voluntary correction filing (VCP), or take an indemnity.", "VCP; indemnity",
        papers=r"!401|plan|match|5500|benefit|9·3|9\.3|pay codes", reckon=rate_times, clear="made_good",
    ),
    kind_of(
        "warn_event", 94, "Employment", "WARN event without notice", ("layoff",),
        ("The dismissals at {s} within ninety days are aggregated (added together): WARN applies, and no notice of sixty days was given.",), "Take a covenant on dismissals and an indemnity for {s}.", "Covenant",
        papers=r"!headcount|round|layoff|reduction|moves|9·|9\.", reckon=None, clear="notice_given",
    ),
    kind_of(
        "unpaid_bonus", 95, "Employment", "Bonus or commission earned and not accrued", ("bonus_due", "reserve_booked sum"),
        ("{s} earned more than is accrued: the bonus or commission is unpaid.",), "Treat the shortfall for {s} as debt.", "Debt-like item",
        papers="!bonus|commission|accrual|incentive|sales force|working capital", reckon=earned_less_booked, computed=True, clear="paid_out",
    ),
    kind_of(
        "complaint_not_scheduled", 96, "Employment", "Complaint that the schedule leaves out", ("complaint",),
        ("{s} complained of discrimination, harassment or misconduct, and the complaint is open; the disclosure schedule omits it or contradicts it.",), "Investigate the complaint of {s}, correct the schedule, and take an indemnity.", "Schedule; indemnity",
        papers=r"!hr file|hotline|complaint|paper of|grievance|eeoc|investigation|9·4|9\.4", reckon=largest, clear="complaint_over",
    ),
    kind_of(
        "reserve_below_estimate", 97, "Litigation", "Reserve far below the estimate", ("reserve_booked sum", "estimate sum"),
        ("The reserve (accrual) for {s} is inadequate: it is below the upper estimate.",), "Take a special indemnity and escrow for {s}, or increase the reserve.", "Special escrow",
        papers=r"!accrual|contingenc|assessment|damages report|case|reserve|counsel|audit committee|10·|10\.", reckon=only_more, clear="reserve_raised",
    ),
    kind_of(
        "insurance_will_not_respond", 98, "Litigation", "Insurance will not respond", ("insured excluded", "?claims_sum sum"),
        ("The claim of {s} is excluded, or was reported late, after the time: the insurer will deny it, and it is not covered (uninsured).",), "Take an indemnity for the loss of {s}.", "Indemnity",
        papers=r"!policy|complaint|reporting log|endorsement|reservation|insur|13·|13\.", reckon=largest, clear="cover_restored",
    ),
    kind_of(
        "consent_decree_missed", 99, "Litigation", "Duty under a decree or settlement was missed", ("decree deadline",),
        ("The duty under {s} was missed: what was required by the due date was late, not filed or not sent, a breach (non-compliance) with stipulated penalties.",), "Cure the default under {s} as a condition of closing, and take an indemnity for the penalties.", "Cure as closing condition",
        papers="!decree|attorney general|order|stipulat|transmittal|deliverables|settlement agreement", reckon=missed_reports, clear="time_extended",
    ),
    kind_of(
        "late_legal_hold", 100, "Litigation", "Late legal hold", ("hold dated", "destroyed"),
        ("The hold on {s} came late: messages, mail or documents were deleted or destroyed after the duty to preserve arose. Spoliation sanctions may follow.",), "Agree on a counsel plan for {s}, and take an indemnity for sanctions.", "Counsel plan",
        papers=r"!hold|preservation|retention|destruction|litigation|10·|10\.", clear="images_kept",
    ),
    kind_of(
        "indemnity_tender", 101, "Litigation", "Indemnity tender refused or owed", ("tender refused", "?sum"),
        ("The tender of {s} for indemnity (defence) stays with the target, which bears the liability at its own cost.",), "Reserve for the indemnity of {s}, and take a specific indemnity.", "Reserve",
        papers=r"!tender|notice of claim|response|indemn|further letter|10·3|10\.3", reckon=two_sums, clear="tender_accepted",
    ),
    kind_of(
        "threat_in_mail", 102, "Litigation", "Threat of a suit that is not scheduled", ("threat sum",),
        ("{s} threatens proceedings over the terminated dealings, a promised share or what else is owed, and demands payment (a claim).",), "Have the claim of {s} scheduled, and take an indemnity.", "Schedule",
        absent="an entry for {s} in the disclosure schedule or litigation register", papers="!eml|mail|my client|letter|cut us off|lawyer|re ", reckon=largest, clear="settled_claim",
    ),
    kind_of(
        "settlement_instalment_unpaid", 103, "Litigation", "Settlement instalment unpaid", ("instalment pays", "unpaid"),
        ("The instalment of the settlement with {s} was not paid when due (in default): the rest is accelerated and judgment may be entered at once, or {s} may suspend deliveries.",), "Pay the instalment to {s} before closing.", "Payment before closing",
        papers=r"!settlement|ageing|wires|stipulated|instal|10·2|10\.2", reckon=instalments, clear="instalment_paid",
    ),
    kind_of(
        "coverage_gap", 115, "Insurance", "Gap in insurance or eroded aggregate", ("insured gap_words", "?sum"),
        ("Under the policy of {s} the loss is uninsured: there is a gap in cover, or the aggregate is nearly exhausted.",), "Obtain new cover for {s}, or an indemnity or escrow.", "New cover",
        papers=r"!policy|declarations|insur|aggregate|loss run|claims on|casualt|assur|13·|13\.", reckon=only_more, clear="cover_restored",
    ),
    kind_of(
        "claims_made_without_tail", 116, "Insurance", "Claims-made policy without a tail", ("insured owner",),
        ("The claims-made policy of {s} goes into run-off on a change of control: cover ceases for what is done after it.",), "Buy a tail (extended reporting period) for {s} at closing.", "Tail at closing",
        absent="a tail (extended reporting period, run-off cover) for {s}", papers=r"!policy|insur|casualt|assur|claims|d&o|after the sale|13·|13\.", reckon=largest, clear="tail_bound",
    ),
    kind_of(
        "entity_not_insured", 117, "Insurance", "Company or site not named in the policy", ("insured not_named", "?trades sum"),
        ("{s} owns or operates the site; it is not named in the policy, and so is not insured.",), "Have the policy endorsed to name {s}.", "Endorsement",
        papers=r"!policy|declarations|locations|group companies|insur|13·|13\.", reckon=largest, clear="endorsed",
    ),
)  # fmt: skip
