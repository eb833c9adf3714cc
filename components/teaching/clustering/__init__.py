"""What is counted, tried out or drawn to show how clusterings come about."""
