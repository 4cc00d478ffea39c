"""Inventions, code, marks, licences and personal data: the kinds of matter that papers on one subject make. Standard library only."""

from __future__ import annotations

from redwell.diligence.archetypes.dossier import kind_of, largest, yearly
from redwell.diligence.archetypes.dossier_sums import not_ours, per_head

KINDS = (
    kind_of(
        "no_invention_assignment", 69, "IP", "No executed invention assignment", ("inventor", "?sum year"),
        ("An inventor of {s} has not assigned: he or she may own a share of it and could license it to others.",), "Obtain the inventor's assignment of {s} as a condition of closing.", "Assignment as closing condition",
        absent="an executed assignment or transfer by the inventor of {s}", papers=r"!patent|invention|inventor|assignment|disclosure us|7·[12]|7\.[12]", reckon=yearly, clear="assigned",
    ),
    kind_of(
        "agrees_to_assign", 70, "IP", "Inventions are only promised, not assigned", ("agreed_assign inventive",),
        ("{s} only agreed to assign in future, without a present assignment: title may remain with the author.",), "Obtain a present confirmatory assignment of {s}.", "Confirmatory assignment",
        papers=r"!proprietary|offer letter|invention|employment|consult|7·2|7\.2|piia|engagement", clear="assigned",
    ),
    kind_of(
        "contractor_no_assignment", 71, "IP", "Contractor's code without an assignment of rights", ("contractor wrote", "?rewrite sum"),
        ("A contractor wrote or developed it ({s}) and may own the copyright, the target having a licence at best.",), "Obtain an assignment of {s} as a condition of closing.", "Assignment as closing condition",
        absent="an assignment or transfer of rights in {s}", papers=r"!statement of work|repository|invoices|credits|terms of|contractor|rewrite|state of|7·|7\.", reckon=largest, clear="assigned",
    ),
    kind_of(
        "recorded_owner", 72, "IP", "The registry names another owner", ("ip_right others_name",),
        ("The recorded owner (registrant) of {s} is not the target: its title is in doubt, so that it could not enforce or convey it, and the schedule is wrong.",), "Obtain an assignment of {s} and have it recorded.", "Recorded assignment",
        papers="!search|registry|record|domain|whois|mark|extract|patent office", reckon=not_ours, computed=True, clear="assigned",
    ),
    kind_of(
        "annuity_missed", 73, "IP", "A fee for a right was missed", ("late_fee", "unpaid"),
        ("The fee or renewal for {s} was due and not paid: the right lapses or is lost unless it is paid in time.",), "Pay the fee with the surcharge for {s} before the last day.", "Payment before closing",
        papers="!renewal|register|annuit|docket|fee|maintenance|reg |reminder", clear="fee_paid", severity="Medium",
    ),
    kind_of(
        "non_transferable_licence", 74, "IP", "The licence does not cover what is done with it", ("limited_use licence", "elsewhere sum"),
        ("The licence of {s} is limited to one field, site or use only; the use outside it is beyond the licence, a breach and infringement.",), "Obtain the consent of {s} to an extension, or an indemnity.", "Licensor's consent",
        papers=r"licen|process|coating|production|7·3|7\.3|software", reckon=largest, clear="extended",
    ),
    kind_of(
        "joint_ownership", 75, "IP", "A co-inventor was left out", ("joint_idea",),
        ("Somebody from outside conceived or contributed to the invention ({s}) and is not named as an inventor: he or she may be co-owner, exclusivity is lost, and the patent may be invalid.",), "Correct the inventorship of {s}, and obtain an assignment or licence.", "Correction; licence",
        papers="!patent|minutes|filing|project|thought|sketch|application|development", clear="assigned",
    ),
    kind_of(
        "government_rights", 76, "IP", "Funding gives others rights in the patent", ("funded inventive",),
        ("The invention was funded under {s}: the funder has a license or march-in rights, and the target's rights are not exclusive but subject to them.",), "Put an exception for {s} into the schedule, and review compliance.", "Schedule exception",
        papers=r"!award|study|patent|grant|research|sponsored|7·1|7\.1", clear="assigned", severity="Medium",
    ),
    kind_of(
        "mark_abandoned", 77, "IP", "A mark in use is no longer protected", ("brand_gone ip_right", "?in_use sum"),
        ("The mark {s} was cancelled, abandoned, lapsed or its permission ended: it is not protected and third parties may take it.",), "Refile {s}, or obtain a licence; else rebrand.", "Refiling; licence",
        absent="a new registration, application or licence for {s}", papers="!mark|notice on|transition|brand|cartons|price list|trademark|label|name", reckon=largest, clear="mark_restored",
    ),
    kind_of(
        "copyleft_shipped", 78, "IP", "Copyleft code is shipped in a product", ("copyleft shipped",),
        ("{s} is under a copyleft licence (GPL), is linked or built into a product and shipped to customers: the source code may have to be disclosed, or the right to distribute ends.",), "Replace {s}, or buy a commercial licence.", "Replacement; commercial licence",
        absent="an offer of source or a commercial licence for {s}", papers=r"!bill of materials|build|image|components|release|manifest|libr|open source|7·4|7\.4|portal|who logs|question on", reckon=largest, clear="licence_bought",
    ),
    kind_of(
        "infringement_claim", 80, "IP", "Royalties were underpaid", ("royalty", "underpaid sum"),
        ("Royalties to {s} were underpaid; {s} can claim the sum with interest and may terminate the licence or sue.",), "Take an indemnity for the royalties of {s}, or settle.", "Indemnity",
        papers=r"!royalt|licen|units|audit|7·3|7\.3", reckon=largest, clear="released_claim",
    ),
    kind_of(
        "incident_kept_back", 81, "Privacy and cyber", "Incident not notified", ("incident persons_data",),
        ("Incident {s} was discovered, and had to be notified within the time of the law (a duty to notify).",), "Have counsel notify the authority and the people concerned of {s}, and take a specific indemnity.", "Notification; indemnity",
        absent="a notice of {s} to the authority, the attorney general, the residents or the account holders", papers=r"!incident|inc |breach|post-?mortem|review|security|8·3|8\.3|re inc", reckon=per_head, clear="notified",
    ),
    kind_of(
        "processor_without_terms", 82, "Privacy and cyber", "Processor without an executed agreement", ("processes persons_data",),
        ("{s} processes, stores or hosts personal data for the target. Article 28 of the GDPR, or HIPAA (164.504) for health data, requires a processing agreement.",), "Have a data processing agreement (or business associate agreement) with {s} executed before closing.", "Papers before closing",
        absent="an executed data processing agreement (Article 28) or business associate agreement with {s}", papers=r"!vendor|article 28|associate|processing|order for|subprocessor|dpa|8·2|8\.2", clear="signed_terms",
    ),
    kind_of(
        "notice_contradicts_tracking", 83, "Privacy and cyber", "Privacy notice contradicts practice", ("privacy_promise", "tracking"),
        ("The notice says that data is not shared, while tags send it to {s}: the practice contradicts the notice and is deceptive.",), "Stop the transfer to {s} or correct the notice, and take an indemnity.", "Fix; indemnity",
        papers=r"!notice|tag|privacy|container|pixel|8·1|8\.1|app", clear="stopped",
    ),
    kind_of(
        "subject_requests_late", 84, "Privacy and cyber", "Requests of data subjects answered late", ("requests dated_or_days",),
        ("Requests at {s} were answered late, after more than the 45 days of the CCPA of California or the 30 days of the GDPR (Article 12): a violation.",), "Cure the delays at {s}, and take an indemnity.", "Cure",
        papers=r"!request|access|consumer|dsr|deletion|8·|8\.", clear="",
    ),
    kind_of(
        "secondary_use", 85, "Privacy and cyber", "Data used beyond the consent", ("study_consent", "second_use"),
        ("Data of {s} was used for another purpose, beyond the consent and without consent for it.",), "Obtain new consent for {s}, or have the data deleted; take an indemnity.", "Fix; indemnity",
        papers="!consent|club|study|participant|transfers out|terms lp|members|baskets|donor", clear="consent_covers",
    ),
    kind_of(
        "certification_gap", 86, "Privacy and cyber", "Certification to a customer is inaccurate", ("certifies", "not_met"),
        ("The certification to {s} is inaccurate: not all controls are in place, or foreign persons had access.",), "Correct the certification to {s}, and remediate; take an indemnity.", "Corrected filing",
        papers=r"!score|undertaking|certif|security plan|who opened|assessment|access|8·4|8\.4|audit report|attest", reckon=yearly, clear="is_accurate",
    ),
)  # fmt: skip
