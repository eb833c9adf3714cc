"""Models made of many trees."""
