"""What is drawn as evidence: rows cut into folds, with what every fit needs beside the columns."""
