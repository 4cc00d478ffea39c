"""Wordings of contracts, ventures, inventions, marks and licences: what a rule finds, and what only looks like it."""

from __future__ import annotations

AGREEMENT, LETTER, NOTES, LICENCE, OFFER, TABLE = (
    "agreements/services-agreement.txt",
    "letters/2026-01-19-mail.txt",
    "files/notes.txt",
    "ip/licence-agreement.txt",
    "people/offer-letter.txt",
    "files/terms.xlsx",
)

CONTRACTS: dict[str, tuple[str, str, str]] = {
    "yearly_sum": (NOTES, "The annual charge for the warehouse is $1,250,000.", "The annual bonus of the managers is $125,000 on top of salary."),
    "estimated_sum": (NOTES, "Moving to another database would cost about $640,000.", "The invoice of $640,000 was booked in May."),
    "relief": (LETTER, "Orsted Bearings waives its right under clause 9 for this sale.", "No waiver of this clause is meant by silence."),
    "owner_change_ends": (
        AGREEMENT,
        "If Tenant's shares come to be held by a new owner, Operator is free to terminate this contract with 40 days' notice.",
        "A new owner of Client does not terminate this contract, which runs on.",
    ),
    "owner_change_consent": (
        AGREEMENT,
        "A change in the ownership of Supplier needs the prior consent of Buyer.",
        "No consent of Buyer is needed for a change of ownership of Supplier.",
    ),
    "owner_change_payment": (
        AGREEMENT,
        "Should Client get a new owner, a one-time fee of $300,000 is payable to Provider.",
        "Should Client get a new owner, Client tells Provider so within a week.",
    ),
    "owner_change_code": (
        AGREEMENT,
        "The agent releases the source code to Licensee once Licensor has been taken over.",
        "The agent makes no release of the source code because Licensor has been taken over.",
    ),
    "owner_change_call": (
        "ventures/joint-venture-agreement.txt",
        "When a member is taken over, the other may buy its shares at their nominal value.",
        "The other member may buy its shares at any time if both agree.",
    ),
    "will_assign": (
        OFFER,
        "The Employee shall assign to the Company, when asked, every invention that he develops.",
        "The Company will assign a mentor to every new developer of software.",
    ),
    "inventor_named": (NOTES, "Rotor blade with hollow spar. Inventors: Ada Brook; Tom Field.", "The inventors met on Tuesday to talk about the stand."),
    "writes_code": ("people/statement-of-work.txt", "Consultant will write the billing module in Rust.", "Consultant will attend the weekly meeting of the team."),
    "funded_rights": (
        NOTES,
        "The University of Ostrava retains a royalty-free licence to every invention under the grant.",
        "The University of Ostrava has a large library on three floors.",
    ),
    "inventive_part": (
        NOTES,
        "Lena Marsh (Orsted Bearings) suggested the second seal, which is now in claim 1 of the application.",
        "Lena Marsh suggested that we meet again on Friday.",
    ),
    "owned_by_target": (NOTES, "The Company is the sole owner of US 10234567.", "The Company is the sole tenant of the building."),
    "law_assignment": (
        AGREEMENT,
        "No assignment, not even one by operation of law, is valid without the written consent of Customer.",
        "Customer may assign claims for payment to its bank.",
    ),
    "reorganisation_step": (NOTES, "2 | Larkfield Labs, LLC merges into Larkfield Instruments, Inc.", "2 | Legal opinions are delivered to the agent."),
    "sum_replaced": (LETTER, "From now on the yearly charge is $700,000 instead of $900,000.", "The yearly charge of $900,000 is due in June."),
    "side_promise": (LETTER, "We will credit you with three percent of all orders each quarter.", "We will call you on Monday about the orders."),
    "open_liability": (AGREEMENT, "Seller is liable for pollution without any limit.", "Licensee may use the software without limit of time in all offices."),
    "limit_of_liability": ("orders/purchase-order.txt", "Liability under this order is limited to the price paid.", "Liability for the freight passes at the dock."),
    "warned": (LETTER, "This is formal notice of default under the supply contract.", "The buyer shall give notice of default within ten days."),
    "time_to_cure": (AGREEMENT, "A party in breach has 25 days to cure it, or the other may terminate.", "The paint needs 25 days to harden."),
    "offer_first": (
        AGREEMENT,
        "Before Owner sells the mill to anyone, it shall first offer the mill to Tenant.",
        "Before the meeting the chair shall send the agenda.",
    ),
    "asset_offer": (NOTES, "Kestrel Tools offers to buy the mill for $8,000,000.", "Kestrel Tools offers a wide range of drills."),
    "small_business": (NOTES, "The award was reserved as a total small business set-aside.", "The contractor keeps a subcontracting plan for small business flow-down."),
    "security_kept": (
        AGREEMENT,
        "Buyer shall maintain a letter of credit of $900,000 in favour of Seller at all times.",
        "Seller guarantees that the goods conform to the drawings worth $900,000 and warrants them.",
    ),
    "security_ends": (NOTES, "The guarantee lapses when the company ceases to be a subsidiary of Parent.", "The guarantee was filed with the papers of the year."),
    "mark_ended": (NOTES, "The registration of the mark was cancelled in March because no use was shown.", "The meeting was cancelled in March because no room was free."),
    "right_term": (NOTES, "The renewal fee for EP 2345678 fell due on 3 March 2025.", "The rent of the office in the lease is due on 3 March 2025."),
    "fee_state": (NOTES, "The fee has not been paid and no instruction was given.", "The fee was paid in good time."),
    "narrow_licence": (
        LICENCE,
        "The licence covers the plant in Linz only.",
        "The fees are stated without taxes.",
    ),
    "royalty_rate": (LICENCE, "Licensee pays a royalty of $12 on each unit that it sells.", "Buyer pays $12 per unit ordered."),
    "units_sold": (NOTES, "In the year 40,000 units were sold and $200,000 was paid.", "In the year 40 people were hired for $200,000."),
}  # fmt: skip

ALSO: tuple[tuple[str, str, str, str], ...] = (
    # id, path, is one, looks like one
    ("owner_change_ends", AGREEMENT, "This licence of space lapses as soon as more than half of the votes in Client belong to another.", "Regardless of who owns a majority of the shares, this contract does not end."),
    ("owner_change_ends", TABLE, "8.1 | Ownership | Contract ends by itself 30 days after the purchaser is taken over", "8.1 | Ownership | Purchaser reports who holds a majority of the shares"),
    ("owner_change_payment", AGREEMENT, "The volume rebate falls away with the first month after the present owners part with control.", "The volume rebate falls away when orders stay below 500 pieces."),
    ("sum_replaced", LETTER, "The minimum of $4,000,000 is deleted and $2,500,000 put in its place.", "The insurance premium is $4,000 instead of $5,000."),
    ("side_promise", LETTER, "You need not pay the licence fee of the second site; please keep this between us.", "Please pay the licence fee of the second site in time."),
    ("law_assignment", AGREEMENT, "Any transfer, including one that the law itself brings about, is void unless the other side has agreed.", "A transfer of the domain needs an account with the registrar."),
    ("will_assign", OFFER, "You will transfer to the company, at our request, the code that you write.", "You will transfer to our office in Graz in May and develop it."),
    ("open_liability", AGREEMENT, "The cap does not apply to loss of data.", "The discount does not apply to spare parts."),
    ("mark_ended", NOTES, "The Company may use the name until 31 May 2026, when the permission ends.", "The Company may use the car park until 31 May 2026."),
)  # fmt: skip
