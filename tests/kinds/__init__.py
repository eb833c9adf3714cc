"""Kinds of question in packages of their own, which the conformance suite runs beside ours."""
