"""Lets `python -m cupboard` run the command `cupboard`."""

from cupboard.cli import main

if __name__ == "__main__":
    main()
