"""Reading a position of Cup King from the line that writing.py explains."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cupboard.core.errors import BadNotation, BadPosition
from cupboard.core.game import CHANCE, Seat, letter
from cupboard.core.row import OVER, PLY, TURN, Row
from cupboard.core.words import Words, phrase, quoted
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.aim_notation import STRAIGHT
from cupboard.games.cup_king.moment import encode_flick
from cupboard.games.cup_king.moves import (
    CARD_INDEX,
    CARDS,
    COLOURS,
    SLOT_INDEX,
    SLOTS,
    Flick,
    Shoot,
    read_move,
)
from cupboard.games.cup_king.poses import Pose
from cupboard.games.cup_king.pyramid import breaks_fit, buckets_of, painted, part, supported, without_loners
from cupboard.games.cup_king.rounds import outs_to_end

if TYPE_CHECKING:
    from cupboard.games.cup_king.rules import CupKing

_PLAIN = ("deal", "build", "reveal", "lot", "over")
_POSE = re.compile(r"(-?[0-9]{1,5},){5}-?[0-9]{1,5}", re.ASCII)
_WHAT = re.compile(r"([A-F])|(draw|offer)-([A-F]):([1-3])|(settle|keep|discard)-([A-F])(?::(.{1,40}))?|(over)")


def read(game: CupKing, text: str) -> Row:
    """The row that a line describes; BadPosition says what cannot come up in a game."""
    words = text.split()
    if len(words) != 8:
        raise BadPosition(phrase("cup-king.position.words"))
    return _Reader(game).read(words)


def _must(true: object, otherwise: Words) -> None:
    if not true:
        raise BadPosition(otherwise)


class _Reader:
    """Fills one row, word by word, then checks that such a moment can come up."""

    def __init__(self, game: CupKing) -> None:
        self.game = game
        self.seats = range(game.seats)
        self.width, self.whole = k.width_of(game.seats), k.whole_of(game.seats)
        self.row = game.start().row.copy()

    def read(self, words: list[str]) -> Row:
        pyramids, hands, shown, discards, way, what, match, made = words
        self.read_pyramids(pyramids)
        self.hands = self.read_bunches(hands, k.HAND, phrase("cup-king.position.thing.hand"))
        self.open = self.read_bunches(shown, k.OPEN, phrase("cup-king.position.thing.open"))
        self.discards = self.read_bunch(discards, k.DISCARD)
        self.read_pile()
        self.read_round(way)
        self.read_match(match, what)
        _must(re.fullmatch(r"[0-9]{1,6}", made, re.ASCII), phrase("cup-king.position.number", text=quoted(made[:20])))
        self.row[PLY] = int(made)
        if what in _PLAIN[:4]:
            self.before_play(what)
        else:
            self.in_play(what)
        return self.row

    # The words.

    def read_pyramids(self, text: str) -> None:
        words = self.for_each_seat(text, phrase("cup-king.position.thing.pyramid"))
        slots = [i for i in range(15) if self.whole >> i & 1]
        widths = list(range(self.width, 0, -1))
        self.masks = []
        for seat, word in enumerate(words):
            plain = self.read_poses(seat, slots, word)
            rows = plain.split("/") if plain != "-" else ["." * width for width in widths]
            _must(
                [len(row) for row in rows] == widths and set("".join(rows)) <= {*COLOURS, "."},
                phrase("cup-king.position.rows", rows=self.width, letters=COLOURS),
            )
            colours = "".join(rows)
            each = len(slots) // 5
            _must(
                all(colours.count(colour) <= each for colour in COLOURS),
                phrase("cup-king.position.colours", count=each),
            )
            self.masks.append(sum(1 << i for i, colour in zip(slots, colours, strict=True) if colour != "."))
            for i, colour in zip(slots, colours, strict=True):
                if colour != ".":
                    self.row[k.PYRAMID + seat] |= int(painted(i, COLOURS.index(colour)))

    def read_poses(self, seat: Seat, slots: list[int], word: str) -> str:
        """Write to the row how buckets are shifted, and return the word without it."""
        _must(word.count("(") == word.count(")"), phrase("cup-king.position.bracket", text=quoted(word[:60])))
        plain = ""
        for letters, bracket, numbers in re.findall(r"([^(]*)(?:(\()([^)]*)\)?)?", word):
            plain += letters
            if not bracket:
                continue
            pose = Pose(*map(int, numbers.split(","))) if _POSE.fullmatch(numbers) else None
            at = len(plain.replace("/", "")) - 1
            _must(
                pose is not None
                and pose.is_possible
                and any(pose)
                and letters
                and letters[-1] in COLOURS
                and at < len(slots),
                phrase("cup-king.position.pose", text=f"({numbers[:40]})"),
            )
            if pose is not None:
                place = k.POSE + 2 * k.SLOTS * seat + 2 * slots[at]
                self.row[place : place + 2] = pose.packed()
        return plain

    def for_each_seat(self, text: str, thing: Words) -> list[str]:
        words = text.split(";")
        _must(len(words) == self.game.seats, phrase("cup-king.position.each", thing=thing))
        return words

    def read_bunches(self, text: str, place: int, thing: Words) -> list[list[str]]:
        words = self.for_each_seat(text, thing)
        return [self.read_bunch(word, place + 5 * seat) for seat, word in enumerate(words)]

    def read_bunch(self, text: str, place: int) -> list[str]:
        _must(re.fullmatch(r"-|([RYGBP][1-8]){1,80}", text), phrase("cup-king.position.cards", text=quoted(text[:30])))
        cards = [] if text == "-" else [text[i : i + 2] for i in range(0, len(text), 2)]
        for card in cards:
            _must(cards.count(card) <= 2, phrase("cup-king.position.two", card=card))
        for card in cards:
            self.row[place + CARD_INDEX[card] // 8] += 1 << 2 * (CARD_INDEX[card] % 8)
        return cards

    def read_pile(self) -> None:
        gone = [card for cards in (*self.hands, *self.open, self.discards) for card in cards]
        for card in CARDS:
            _must(gone.count(card) <= 2, phrase("cup-king.position.two", card=card))
            self.row[k.PILE + CARD_INDEX[card] // 8] -= gone.count(card) << 2 * (CARD_INDEX[card] % 8)
        self.row[k.LEFT] -= len(gone)
        for seat in self.seats:
            _must(len(self.hands[seat]) <= 10, phrase("cup-king.position.ten"))
            self.row[k.HELD + seat] = len(self.hands[seat])
            self.row[k.SUM + seat] = sum(int(card[1]) for card in self.open[seat])

    def read_round(self, text: str) -> None:
        _must(re.fullmatch(r"[<>][RYGBP-]", text), phrase("cup-king.position.round", text=quoted(text[:20])))
        _must(text[0] == ">" or self.game.seats > 2, phrase("cup-king.position.ofTwo"))
        self.asked = text[1].replace("-", "")
        self.row[k.DIRECTION] = 1 if text[0] == ">" else -1
        self.row[k.SUIT] = COLOURS.index(self.asked) if self.asked else k.NONE

    def read_match(self, text: str, what: str) -> None:
        games = int(self.game.options["games"])
        found = re.fullmatch(r"([0-9]{1,3}):([0-9]{1,4}(?:,[0-9]{1,4})*)", text, re.ASCII)
        totals = [int(total) for total in found[2].split(",")] if found else []
        if not found or len(totals) != self.game.seats or not 1 <= int(found[1]) <= games:
            raise BadPosition(phrase("cup-king.position.match", text=quoted(text[:30])))
        finished = int(found[1]) - (what != "over")
        most = 15 if self.game.seats <= 4 else 10
        _must(all(total <= most * finished for total in totals), phrase("cup-king.position.kept"))
        self.row[k.GAME] = int(found[1])
        self.row[k.TOTAL : k.TOTAL + self.game.seats] = totals

    # Before play.

    def before_play(self, what: str) -> None:
        row = self.row
        held = [len(hand) for hand in self.hands]
        none_open = not any(self.open) and not self.discards and not self.asked and row[k.DIRECTION] == 1
        _must(none_open, phrase("cup-king.position.before.cards"))
        _must(not row[k.POSE : k.SIZE].any(), phrase("cup-king.position.before.shifted"))
        built = [mask == self.whole for mask in self.masks]
        _must(
            all(whole or not mask for whole, mask in zip(built, self.masks, strict=True)),
            phrase("cup-king.position.before.whole"),
        )
        moved = 0 if what == "deal" else sum(built)
        _must(row[k.GAME] > 1 or row[PLY] <= moved, phrase("cup-king.position.before.moves"))
        row[TURN] = CHANCE
        if what == "deal":
            row[k.ACTOR] = served = held.count(10)
            row[k.DRAWS] = 10
            _must(
                held == [10] * served + [0] * (len(held) - served) and served < len(held) and not any(built),
                phrase("cup-king.position.before.dealing"),
            )
            return
        _must(held == [10] * len(held), phrase("cup-king.position.before.dealt"))
        row[k.ACTOR] = row[k.DRAWS] = 0
        row[k.PHASE] = {"build": k.BUILDING, "reveal": k.REVEALING, "lot": k.LOT}[what]
        if what == "build":
            _must(not all(built), phrase("cup-king.position.before.built"))
            row[TURN] = built.index(False)
        else:
            _must(all(built), phrase("cup-king.position.before.building"))

    # In play.

    def in_play(self, what: str) -> None:
        row, options = self.row, self.game.options
        found = _WHAT.fullmatch(what)
        if not found:
            raise BadPosition(phrase("cup-king.position.what", text=quoted(what[:20])))
        word = found[2] or found[5] or found[8] or "play"
        actor = ord(found[1] or found[3] or found[6] or "A") - ord("A")
        _must(actor in self.seats, phrase("cup-king.position.noSeat", letter=letter(actor)))
        row[k.PHASE] = {
            "draw": k.DRAWING, "offer": k.OFFERED, "settle": k.SETTLING, "keep": k.KEEPING, "discard": k.PUTTING_AWAY,
        }.get(word, k.PLAYING)  # fmt: skip
        row[TURN] = CHANCE if word in ("draw", "settle", "discard") else OVER if word == "over" else actor
        row[k.ACTOR] = actor
        row[k.DRAWS] = int(found[4] or 0)
        self.read_shot(word, actor, found[7])
        _must(word != "offer" or not options["auto_draw"], phrase("cup-king.position.autoDraw"))
        self.check_pyramids(word, actor)
        self.check_round(word, actor)
        self.check_flicks(word, actor)
        self.check_cards(word, actor)

    def read_shot(self, word: str, actor: Seat, said: str | None) -> None:
        """Write to the row which flick is to settle, or which breaks the parts of a pyramid have."""
        if word == "settle":
            _must(not k.is_careful(int(self.row[k.RULES]), actor), phrase("cup-king.position.settle"))
            try:
                move = read_move(f"-{said or '?'}")
            except BadNotation as error:
                raise BadPosition(phrase("cup-king.position.settle.which", why=error.words or str(error))) from error
            assert isinstance(move, Shoot | Flick)
            aim = move.aim if isinstance(move, Flick) else STRAIGHT
            self.row[k.SHOT] = encode_flick(Flick(actor, move.bucket, aim))
        elif said:
            broken = said.split(",")
            _must(
                word == "keep" and set(broken) <= set(SLOTS[:4]) and len(set(broken)) == len(broken),
                phrase("cup-king.position.breaks"),
            )
            self.row[k.BREAKS] = sum(1 << SLOT_INDEX[slot] for slot in broken)

    def check_pyramids(self, word: str, actor: Seat) -> None:
        out = [seat for seat in self.seats if not self.masks[seat]]
        ends_with = int(outs_to_end(self.row))
        if word == "over":
            _must(len(out) == ends_with, phrase("cup-king.position.notOver"))
            _must(self.row[k.GAME] == self.game.options["games"], phrase("cup-king.position.gamesLeft"))
            totals = [int(self.row[k.TOTAL + seat]) for seat in self.seats]
            kept = [mask.bit_count() for mask in self.masks]
            one = self.game.options["games"] == 1
            _must(
                totals == kept if one else all(a >= b for a, b in zip(totals, kept, strict=True)),
                phrase("cup-king.position.totals"),
            )
        else:
            gone = len([seat for seat in out if seat != actor]) + (word == "discard")
            _must(gone < ends_with, phrase("cup-king.position.over"))
            _must(word != "discard" or actor in out, phrase("cup-king.position.putsAway"))
            _must(
                word in ("settle", "discard") or actor not in out, phrase("cup-king.position.out", letter=letter(actor))
            )
        for seat, mask in enumerate(self.masks):
            if seat == actor and word == "settle":
                shot = int(self.row[k.SHOT]) & 15
                _must(self.rests(mask) and mask >> shot & 1, phrase("cup-king.position.flicked"))
            elif seat == actor and word == "keep":
                broken = int(self.row[k.BREAKS])
                stands = supported(mask) == mask == without_loners(mask, broken) and breaks_fit(mask, broken)
                _must(stands and part(mask, 1, broken), phrase("cup-king.position.parts"))
            else:
                _must(self.rests(mask), phrase("cup-king.position.stands", letter=letter(seat)))

    def rests(self, mask: int) -> bool:
        return bool(supported(mask) == mask and not part(mask, 1, 0))

    def check_round(self, word: str, actor: Seat) -> None:
        row = self.row
        sums = [int(row[k.SUM + seat]) for seat in self.seats]
        if not self.asked:
            _must(not any(self.open), phrase("cup-king.position.hasColour"))
            _must(word not in ("draw", "offer"), phrase("cup-king.position.drawn"))
            _must(word == "discard" or row[k.DIRECTION] == 1, phrase("cup-king.position.direction"))
            _must(word in ("over", "discard") or row[k.LEFT], phrase("cup-king.position.reshuffled"))
            if word == "over":
                row[k.ACTOR] = 0
            return
        _must(word not in ("over", "discard"), phrase("cup-king.position.noColour"))
        holder = actor if word in ("draw", "offer") else self.before(actor)
        row[k.TO_BEAT] = sums[holder]
        _must(
            all(sums[seat] < sums[holder] for seat in self.seats if seat != holder),
            phrase("cup-king.position.holder", letter=letter(holder)),
        )
        if word == "play":
            row[k.ACTOR] = holder
        for cards in self.open:
            extras = [card for card in cards if card[0] != self.asked]
            ones = cards.count(f"{self.asked}1") if self.game.options["experienced_ones"] else 0
            _must(len(extras) <= ones, phrase("cup-king.position.extras"))

    def check_flicks(self, word: str, actor: Seat) -> None:
        row, each = self.row, 2 * k.SLOTS
        for seat in self.seats:
            shifted = row[k.POSE + each * seat : k.POSE + each * (seat + 1)].any()
            careful = k.is_careful(int(row[k.RULES]), seat)
            _must(not (shifted and careful), phrase("cup-king.position.careful", letter=letter(seat)))
        if word != "settle":
            return
        slot, pyramid = int(row[k.SHOT]) & 15, row[k.PYRAMID + actor]
        of_colour = int(buckets_of(pyramid, row[k.SUIT])) if self.asked else 0
        _must(
            of_colour >> slot & 1 or not of_colour,
            phrase("cup-king.position.asked", slot=SLOTS[slot]),
        )
        _must(
            self.asked or not self.hands[actor] or self.game.options["starter_may_shoot"],
            phrase("cup-king.position.starts"),
        )

    def before(self, seat: Seat) -> Seat:
        step = -int(self.row[k.DIRECTION])
        others = ((seat + n * step) % self.game.seats for n in range(1, self.game.seats))
        return next(other for other in others if self.masks[other])

    def check_cards(self, word: str, actor: Seat) -> None:
        row = self.row
        due = int(row[k.DRAWS])
        _must(due <= 1 or self.game.options["experienced_ones"], phrase("cup-king.position.oneCard"))
        _must(len(self.hands[actor]) + due <= 10, phrase("cup-king.position.ten"))
        _must(word != "draw" or row[k.LEFT], phrase("cup-king.position.reshuffled"))
        _must(due <= row[k.LEFT] + len(self.discards), phrase("cup-king.position.draws"))
        for seat in self.seats:
            out = not self.masks[seat] and (seat != actor or word == "play")
            _must(
                word == "over" or not out or not (self.hands[seat] or self.open[seat]),
                phrase("cup-king.position.outCards"),
            )
