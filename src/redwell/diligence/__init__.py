"""Due diligence: issue archetypes, the embedded reader and playbook, the report and its renderings."""
