"""What trains: loaded by name where it is asked for, and imported by nothing that makes a model."""
