"""Rollouts in the forms that other trainers read."""
