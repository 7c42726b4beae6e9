"""What came out: results in the repository, tables beside the paper's, the page with curves and pictures."""
