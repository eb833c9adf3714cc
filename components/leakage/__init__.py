"""The leakage certificate: numbered checks for what would make a score too good to be true."""
