"""What is drawn as evidence: units cut into folds, and what models predicted for them."""
