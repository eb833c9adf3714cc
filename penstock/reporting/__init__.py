"""Words for people: the report, one HTML file that opens offline, the terminal, and messages elsewhere."""
