"""Checks the catalogues, rule pages and glossary of a language against the English ones: `python web/words.py de`.

Lists what is missing or left over, names and forms that do not fit, and rules without their number; then, as a hint,
what is much longer than in English or still the same. Exits with 1 if something is wrong.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from babel import Locale

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cupboard"
GAMES = PACKAGE / "games"
PAGE = ROOT / "web" / "src" / "lib" / "messages"
GLOSSARY = ROOT / "docs" / "glossary"

Message = str | dict[str, str]
BASE = "base"
_NAME = re.compile(r"\{(\w+)(?:\.([\w-]+))?\}")
_CODE = re.compile(r"`[^`]+`")
_NUMBER = r"[A-Z]{2}-[A-Z]?\d+"
_GLUED = re.compile(r"[^\W\d_][’']?\{[\w.]+\}|\{[\w.]+\}[’']?[^\W\d_]+")
_RULE = re.compile(rf"^(?:- \*\*({_NUMBER})\*\* (.*(?:\n  .*)*)|\| ({_NUMBER}) \| (.*) \|$)", re.MULTILINE)

# What may be filled in for a {name}. Names of people are never inflected; of these sets each member may have forms.

SEATS, COLOURS, TITLES, LEVELS = "seats", "colours", "games", "levels"
SETS = {
    SEATS: r"seat\.(?!nature)\w+|cup-king\.player",
    COLOURS: r"tint\.\w+",
    TITLES: r"[\w-]+\.title",
    LEVELS: r"level\.\w+",
    "triangles": r"chinese-checkers\.triangle\.\w+",
    "scales": r"cup-king\.aim\.(strength|height|aside|turn)",
    "moves": r"plays\.moves|[\w-]+\.longMoves",
}
_PEOPLE = (
    r"(name|new|join|class|classes|account|admin|ask|declined|offered|curtain|result|tables|news|asked|points|terminal)\..*",
    r"([\w-]+\.)?end\..*|state\.wins|[\w-]+\.wins|cup-king\.most|move\.plays|embed\.title|no\.(freeSeat|mergeRound)",
    r"jumping-cups\.jumps(Off|OnOff)?|double-dutch\.(puts|slides|turns)|chinese-checkers\.(moves|swaps)",
    r"cup-king\.(plays|givesUp|keeps\.\w+|refills|forgets|builds|flicks(\.\w+)?|flicksFromBehind)",
)
"""Messages in which {who} may be the name of somebody, so that it has no forms."""
_FILLED = {
    SEATS: ("who", "whose", "other", "others", "starter"),
    COLOURS: ("colour",),
    TITLES: ("game", "other"),
    LEVELS: ("level", "next"),
    "triangles": ("triangle",),
    "scales": ("scale",),
    "moves": ("what",),
}
_UNFORMED = (r"no\.level|unknown\.\w+|card\.learnAria|terminal\.(learn\.(later|done)|undone|whoseMove|thinking)",)
"""Messages whose names are filled with what somebody typed, or with whole sentences."""


def fillers(key: str, name: str) -> str | None:
    """Which set a {name} of a message is filled from; None where it is a name of somebody, a number or a code."""
    if any(re.fullmatch(pattern, key) for pattern in _UNFORMED):
        return None
    if key.startswith("terminal.otherGame"):
        return TITLES if name in ("game", "other") else None
    is_of_people = any(re.fullmatch(pattern, key) for pattern in _PEOPLE)
    for kind, names in _FILLED.items():
        if name in names:
            return None if kind == SEATS and is_of_people else kind
    return None


def members(kind: str, key: str) -> list[str]:
    """The keys of a set, as far as they can come up in the message `key`: Cup King calls its seats players."""
    found = [one for one in catalogue("en") if re.fullmatch(SETS[kind], one)]
    if kind != SEATS or "." not in key:
        return found
    of_cup_king, of_a_game = key.startswith("cup-king."), (GAMES / key.partition(".")[0].replace("-", "_")).is_dir()
    return [one for one in found if not of_a_game or one.startswith("cup-king.") == of_cup_king]


# Reading.


def files(language: str) -> dict[str, Path]:
    """The catalogues that a language may have, by what their keys begin with in words of the server."""
    homes = [*sorted(PACKAGE.glob("*/strings/en.json")), *sorted(GAMES.glob("*/strings/en.json")), PAGE / "en.json"]
    return {str(home): home.with_name(f"{language}.json") for home in homes}


def read(file: Path) -> dict[str, Message]:
    """The messages of a catalogue by their whole keys; a game's begin with its name."""
    game = re.search(r"/games/(\w+)/strings/", file.as_posix())
    prefix = f"{game[1].replace('_', '-')}." if game else ""
    messages: dict[str, Message] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return {prefix + key: message for key, message in messages.items()}


@cache
def catalogue(language: str) -> Mapping[str, Message]:
    """All messages of a language, without those that it lacks."""
    return {key: message for file in files(language).values() for key, message in read(file).items()}


def languages() -> list[str]:
    """The languages that have a catalogue somewhere, English first."""
    found = {file.stem for home in files("en").values() for file in home.parent.glob("*.json")}
    return ["en", *sorted(found - {"en"})]


# Checking.


def faults(language: str) -> Iterator[str]:
    """What is wrong in a language, a line each; what is missing comes first."""
    yield from missing(language)
    yield from misfits(language)
    for game in sorted(GAMES.glob("*/README.md")):
        yield from faults_of_rules(game, language)
    yield from faults_of_glossary(language)


def missing(language: str) -> Iterator[str]:
    """Messages and rule pages that a language lacks."""
    for english, file in files(language).items():
        if not file.is_file():
            yield f"{_short(file)}: missing"
        for key in read(Path(english)).keys() - read(file).keys() if file.is_file() else ():
            yield f"{_short(file)}: {key} is missing"
    for page in sorted(GAMES.glob("*/README.md")):
        translated = _page(page, language)
        if not translated.is_file():
            yield f"{_short(translated)}: missing"


def misfits(language: str) -> Iterator[str]:
    """Messages that English has not, or with other {names}, other codes, or forms that do not fit."""
    for english, file in files(language).items():
        theirs = read(Path(english))
        for key, message in read(file).items():
            where = f"{_short(file)}: {key}"
            if key not in theirs:
                yield f"{where} is in no English catalogue"
                continue
            yield from (f"{where} {fault}" for fault in faults_of(key, message, theirs[key], language))


def faults_of(key: str, message: Message, english: Message, language: str) -> Iterator[str]:
    """What is wrong with a message, beside the English one."""
    plurals = {*Locale.parse(language, sep="-").plural_form.tags, "other"}
    texts = message.values() if isinstance(message, dict) else [message]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        yield "has an empty text"
        return
    if isinstance(message, dict) and BASE not in message and set(message) != plurals:
        yield f"has the plural forms {_row(message)}, and the language has {_row(plurals)}"
    if isinstance(message, dict) and BASE in message and not any(re.fullmatch(one, key) for one in SETS.values()):
        yield "has forms, and is in no set of names that sentences ask forms of"
    if (have := names_in(message)) != (want := names_in(english)):
        yield f"has the names {_row(have)}, and English {_row(want)}"
    if (codes := _commands(message)) != (wanted := _commands(english)):
        yield f"has the codes {_row(codes)}, and English {_row(wanted)}"
    if glued := _GLUED.findall(_all(message).replace("}'s", "}") if language == "en" else _all(message)):
        yield f"glues letters to {_row(glued)}: ask for a form, or put the name where nothing inflects it"
    for name, form in sorted({(name, form) for name, form in _NAME.findall(_all(message)) if form}):
        kind = fillers(key, name)
        if kind is None:
            yield f"asks for {{{name}.{form}}}, and {{{name}}} may be a name of somebody or a code, which has no forms"
            continue
        for one in members(kind, key):
            forms = catalogue(language).get(one)
            if not isinstance(forms, dict) or form not in forms:
                yield f"asks for {{{name}.{form}}}, and {one} has no form {form!r}"


def _commands(message: Message) -> set[str]:
    """What stands between backticks, without the arguments behind the first word of each."""
    return {code.strip("`").partition(" ")[0] for code in _CODE.findall(_all(message))}


def names_in(message: Message) -> set[str]:
    """What is to be filled in; plural forms are chosen by the count even where they do not show it."""
    plural = {"count"} if isinstance(message, dict) and BASE not in message else set()
    return plural | {name for name, _ in _NAME.findall(_all(message))}


def faults_of_rules(page: Path, language: str) -> Iterator[str]:
    """Rules of a translated README that are missing, moved, or name other numbers and codes than the English ones."""
    translated = _page(page, language)
    if language == "en" or not translated.is_file():
        return
    where, english, other = _short(translated), rules_of(page), rules_of(translated)
    numbers = re.findall(rf"^(?:- \*\*|\| )({_NUMBER})", translated.read_text(encoding="utf-8"), re.MULTILINE)
    yield from (f"{where}: {number} is missing" for number in english.keys() - other.keys())
    yield from (f"{where}: {number} is not in English" for number in other.keys() - english.keys())
    yield from (
        f"{where}: {number} stands there twice" for number in sorted({n for n in numbers if numbers.count(n) > 1})
    )
    if english.keys() == other.keys() and list(english) != list(other):
        yield f"{where}: the rules stand in another order than in English"
    for number in [number for number in english if number in other]:
        for what, sign in (("numbers", re.compile(_NUMBER)), ("codes", _CODE)):
            have, want = set(sign.findall(other[number])), set(sign.findall(english[number]))
            if have != want:
                yield f"{where}: {number} has the {what} {_row(have)}, and English {_row(want)}"


def glossary(language: str) -> dict[str, dict[str, str]]:
    """For each game its terms: the English term, and what the language calls it."""
    file = GLOSSARY / f"{language}.json"
    found: dict[str, dict[str, str]] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def glossary_page() -> str:
    """The glossary as a page to read: a table for each game, with a column for each language."""
    languages_first = languages()
    titles = [catalogue("en")[f"{game}.title"] for game in glossary("en")]
    lines = [
        "# Glossary",
        "",
        "What each game's things are called, by the words of its printed rulebooks where there is one in the language.",
        "Made of `docs/glossary/*.json` by `python web/words.py --glossary`.",
    ]
    for title, (game, terms) in zip(titles, glossary("en").items(), strict=True):
        row = [Locale.parse(tag, sep="-").get_display_name("en") or tag for tag in languages_first]
        lines += ["", f"## {title}", "", f"| {' | '.join(row)} |", "|---" * len(row) + "|"]
        for term in terms:
            cells = [glossary(tag).get(game, {}).get(term, "") for tag in languages_first]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def faults_of_glossary(language: str) -> Iterator[str]:
    """Terms that the glossary of a language lacks, or has too many."""
    ours, english = glossary(language), glossary("en")
    where = f"docs/glossary/{language}.json"
    if not ours:
        yield f"{where}: missing"
        return
    for game in english.keys() | ours.keys():
        have, want = ours.get(game, {}), english.get(game, {})
        yield from (f"{where}: {game} has no {term!r}" for term in want if not have.get(term, "").strip())
        yield from (f"{where}: {game} has {term!r}, and English has not" for term in have.keys() - want.keys())


def rules_of(page: Path) -> dict[str, str]:
    """The text of each numbered rule and ruling of a README."""
    found = _RULE.findall(page.read_text(encoding="utf-8"))
    return {item or row: f"{text}{cells}" for item, text, row, cells in found}


def hints(language: str) -> Iterator[str]:
    """What is worth a look: texts of the page much longer than in English, and texts that are still the same."""
    for english, file in files(language).items():
        theirs = read(Path(english))
        for key, message in read(file).items():
            ours, base = _all(message), _all(theirs.get(key, ""))
            longest = max(map(len, message.values())) if isinstance(message, dict) else len(message)
            most = max(map(len, _texts_of(theirs.get(key, ""))), default=0)
            if file.parent == PAGE and longest > 1.5 * most + 6:
                yield f"{_short(file)}: {key} is long ({longest} signs, English {most}): {ours}"
            if ours == base and re.search(r"[a-z]{3}", _CODE.sub("", _NAME.sub("", ours))):
                yield f"{_short(file)}: {key} is the same as in English: {ours}"


def _texts_of(message: Message) -> list[str]:
    return list(message.values()) if isinstance(message, dict) else [message]


def _all(message: Message) -> str:
    return " ".join(_texts_of(message))


def _page(page: Path, language: str) -> Path:
    return page if language == "en" else page.with_name(f"README.{language}.md")


def _row(things: object) -> str:
    return ", ".join(sorted(map(str, things))) if things else "none"  # type: ignore[call-overload]


def _short(file: Path) -> str:
    return str(file.relative_to(ROOT))


def main(language: str) -> int:
    """Print what is wrong in a language, and what is worth a look; or write the glossary's page anew."""
    if language == "--glossary":
        (GLOSSARY.parent / "glossary.md").write_text(glossary_page(), encoding="utf-8")
        return 0
    wrong = list(faults(language))
    for line in wrong:
        print(line)
    worth = [] if language == "en" else list(hints(language))
    if worth:
        print("\nWorth a look:", *worth, sep="\n")
    print(f"\n{language}: {len(wrong)} wrong, {len(worth)} worth a look.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "en"))
