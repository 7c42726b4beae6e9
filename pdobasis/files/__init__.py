"""Files: one reader and writer for each format; whole or not at all."""
