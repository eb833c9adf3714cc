"""Naive Bayes: columns taken as independent inside each class."""
