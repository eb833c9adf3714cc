"""How likely a row is: densities that flag what is rare."""
