"""One module per file format. Each has `read(data, name, limits) -> Parsed`, is pure, and raises Unreadable with a plain reason."""
