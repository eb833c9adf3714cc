"""Who may know what: found in the syntax trees."""
