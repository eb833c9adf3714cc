"""One Gaussian for each class."""
