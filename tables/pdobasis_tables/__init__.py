"""LaTeX solution tables."""
