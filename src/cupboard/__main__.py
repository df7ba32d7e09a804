"""`python -m cupboard` is `cupboard`."""

from cupboard.cli import main

if __name__ == "__main__":
    main()
