"""The papers that a room has once and many plants write into: registers, the merger agreement, the schedule, minutes, decks."""

from __future__ import annotations

from redwell.bench.generate.papers import Hub

COLUMNS: dict[Hub, tuple[str, ...]] = {
    "minute_index": ("Date", "Body", "Subject", "File"),
    "net_debt": ("Item", "Amount", "Note"),
    "working_capital": ("Item", "Amount", "Note"),
    "cap_table": ("Holder", "Class", "Number", "Note"),
    "contracts_register": ("Counterparty", "Agreement", "Date", "Annual value", "Expiry", "Consent needed"),
    "consents_tracker": ("Counterparty", "Agreement", "Needed", "Status"),
    "employee_census": ("ID", "Name", "Title", "Site", "Started", "Salary", "Status"),
    "litigation_register": ("Matter", "Forum", "Claimed", "Reserve", "Status"),
    "ip_register": ("Right", "Number", "Owner", "Filed", "Status"),
    "lease_register": ("Site", "Landlord", "Tenant", "Area", "Rent", "Expiry"),
    "insurance_register": ("Line", "Insurer", "Policy", "From", "To", "Limit"),
    "permit_register": ("Permit", "Holder", "Authority", "Number", "Expiry"),
    "vendor_master": ("Vendor", "Purpose", "Spend", "Owner"),
    "calendar": ("Deadline", "Matter", "Owner"),
}
"""Of the hubs that are one table. The others hold sections of paragraphs, clauses and rows; a row there has as many cells as it likes."""
