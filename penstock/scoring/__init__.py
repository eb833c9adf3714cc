"""Batch scoring: rows of any length through a registered model, part by part, by the terms of its data contract."""
