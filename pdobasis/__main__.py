"""``python -m pdobasis`` is the command ``pdobasis``."""

from pdobasis_cli.start import main

if __name__ == "__main__":
    main()
