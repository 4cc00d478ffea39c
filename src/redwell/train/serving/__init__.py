"""The policy served: an OpenAI-compatible gateway over engines that sample tokens after tokens."""
