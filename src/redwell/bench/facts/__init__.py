"""The `facts` judge: from a report's words to verdicts by the answer key of a generated room, without a model."""
