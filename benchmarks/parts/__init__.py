"""The parts of the comparison: each measures one thing and returns a section of the page."""
