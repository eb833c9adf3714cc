"""Single neurons, and the rules by which they learn."""
