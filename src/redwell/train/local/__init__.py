"""The trainer of one machine: PyTorch with PEFT on CPU or GPU, whose weights are served while they are trained."""
