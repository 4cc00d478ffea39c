"""One protocol for every model, with prices, one budget for the whole run, a rate limiter, retries and typed failures."""
