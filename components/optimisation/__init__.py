"""Ways to the least value of a function, each with its trace: what it did, and which rule ended it."""
