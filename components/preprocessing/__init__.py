"""From columns as people write them to one matrix of numbers: planned once, fitted inside every fold."""
