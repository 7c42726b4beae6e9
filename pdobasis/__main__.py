"""``python -m pdobasis`` is the command ``pdobasis``."""

from pdobasis_cli import main

if __name__ == "__main__":
    main()
