"""What stages have made before: records, keyed by what they were asked and by the digest of their code."""
