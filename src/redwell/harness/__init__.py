"""One module per harness: the program through which a model does a task over a room."""
