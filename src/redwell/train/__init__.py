"""Post-training the root inside the harness: rollouts, rewards, advantages, losses, trainers and the loop."""
