"""The most telling columns."""
