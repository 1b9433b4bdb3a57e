"""What the measurements mean. `analysis` (C++) writes the tables, `plots` and `html` draw them and compute nothing."""
