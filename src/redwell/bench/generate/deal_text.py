"""The usual articles of a merger agreement, beside what the deal's own terms fill in. They give no sum, period or list that a plant could contradict."""

from __future__ import annotations

from redwell.bench.generate.papers import Clause

ARTICLES: dict[str, tuple[Clause, ...]] = {
    "The Merger": (
        Clause(
            "Effects",
            "At the Effective Time the Merger has the effects that the General Corporation Law of the State of Delaware gives it, and all property, rights and powers of the constituent corporations vest in the surviving corporation.",
        ),
        Clause(
            "Charter and Bylaws",
            "The certificate of incorporation and the bylaws of the surviving corporation are, from the Effective Time, those annexed to the certificate of merger until they are amended in the manner that they provide.",
        ),
        Clause(
            "Directors and Officers",
            "From the Effective Time the directors of Merger Sub are the directors of the surviving corporation, and the officers of the Company remain its officers until their successors are chosen.",
        ),
        Clause(
            "Effective Time",
            "On the day of Closing the parties file a certificate of merger with the Secretary of State; the Merger takes effect on filing, or later on that day where the certificate says so.",
        ),
    ),
    "Merger Consideration": (
        Clause(
            "Conversion of Shares",
            "Each share that is outstanding immediately before the Effective Time is converted into the right to receive its part of the consideration, in cash and without interest; shares held by the Company itself are cancelled and nothing is paid for them.",
        ),
        Clause(
            "Payment Procedures",
            "Parent names a paying agent, who sends to each holder of record a letter of transmittal and pays on its return with the certificates, or with an affidavit where a certificate was mislaid.",
        ),
        Clause(
            "Withholding",
            "The payer may withhold what the tax laws require it to withhold; what is withheld and paid over counts as paid to the holder.",
        ),
        Clause(
            "Unclaimed Amounts",
            "What nobody has asked for a year after the Effective Time goes back to Parent, to whom holders then look as general creditors.",
        ),
    ),
    "Representations and Warranties of the Company": (
        Clause(
            "Organization",
            "The Company is duly organized and validly existing under the law of its state of incorporation and has the corporate power to carry on its business as it is now carried on.",
        ),
        Clause(
            "Authority",
            "The Company has the corporate power to enter into this Agreement, and this Agreement is its legal, valid and binding obligation, subject to insolvency laws and to principles of equity.",
        ),
        Clause(
            "Financial Statements",
            "The financial statements that were delivered have been drawn up under generally accepted accounting principles, those for interim periods without footnotes and subject to adjustments at the end of the year.",
        ),
        Clause(
            "Title to Assets",
            "The Company has title to, or a right to use, the tangible assets that its business needs, subject to what the Company Disclosure Schedule sets out.",
        ),
        Clause(
            "Brokers",
            "Fees of brokers and advisers of the Company in connection with the Merger are expenses of the sale.",
        ),
        Clause(
            "No Other Representations",
            "Beyond what this Article says the Company makes no representation, express or implied, and Parent has relied on none.",
        ),
    ),
    "Representations and Warranties of Parent": (
        Clause(
            "Organization and Authority",
            "Each of Parent and Merger Sub is duly organized and in good standing and has the power to enter into this Agreement and to do what it provides.",
        ),
        Clause("Merger Sub", "Merger Sub was formed for the Merger alone and has carried on no other business."),
        Clause(
            "Own Investigation",
            "Parent has made an investigation of its own and was given access to the data room for it.",
        ),
    ),
    "Covenants": (
        Clause(
            "Access",
            "Until Closing the Company gives Parent, on reasonable notice and during business hours, access to its books, premises and officers, except where privilege or the law stands in the way.",
        ),
        Clause(
            "Efforts",
            "Each party uses reasonable best efforts to do what is needed for Closing and keeps the others informed of how matters stand.",
        ),
        Clause(
            "Publicity",
            "No party issues a press release about the Merger without having agreed on its wording with the others, unless a law or the rules of an exchange require it.",
        ),
        Clause(
            "Directors' Cover",
            "The surviving corporation honours the rights of directors and officers to be held harmless that stand in the bylaws on the date hereof.",
        ),
        Clause(
            "Further Acts",
            "The parties sign and deliver what is reasonably asked for in order to carry out the Merger.",
        ),
    ),
    "General Provisions": (
        Clause(
            "Entire Agreement",
            "This Agreement with its annexes and the Company Disclosure Schedule is the whole of what the parties have agreed on its subject.",
        ),
        Clause(
            "Governing Law",
            "This Agreement is governed by the law of the State of Delaware, and its courts alone hear disputes that arise from it.",
        ),
        Clause("Amendment", "An amendment is good only in a writing that all parties have signed."),
        Clause(
            "Interpretation",
            "Headings are for convenience; “including” means including without limitation; a reference to a law is to that law as amended from time to time.",
        ),
        Clause("Counterparts", "This Agreement may be signed in counterparts and delivered by electronic means."),
        Clause(
            "Severability",
            "Should a provision not be capable of being enforced, the others stand, and the parties replace it by one that comes nearest to its purpose.",
        ),
        Clause("Expenses", "Each party bears its own expenses, whether or not the Merger takes place."),
    ),
}
"""Of each article the clauses that follow the deal's own."""
