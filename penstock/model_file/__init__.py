"""Reading a model file that may be damaged, or made to do harm."""
