"""Modules that run inside the sandbox (standard library only); the harness reads their source and hands it over."""
