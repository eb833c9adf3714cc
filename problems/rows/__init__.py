"""What the kinds of question over tables of rows share."""
