"""The care of a home: its runs, what may go from it, whether it is sound, and the disk that it lies on."""
