"""The Python session that model-written code runs in: a separate process without network, files or keys."""
