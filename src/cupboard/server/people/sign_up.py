"""Who may make an account."""

from __future__ import annotations

import hmac

from cupboard.core.words import phrase
from cupboard.server.errors import BadClassCode, NoSignUp
from cupboard.server.settings import PeopleSettings


class SignUp:
    """Whether somebody may make an account: everybody, nobody, or whoever knows the class code.

    The codes of classes (`classes/`) let people sign up, too: whoever asks here has looked at those first."""

    def __init__(self, settings: PeopleSettings) -> None:
        self.mode = settings.sign_up
        self._code = _plain(settings.class_code)

    def check_open(self) -> None:
        """NoSignUp where nobody may make an account."""
        if self.mode == "closed":
            raise NoSignUp(phrase("no.signUp"))

    def check_code(self, code: str) -> None:
        """BadClassCode where a code is needed and this is not it."""
        if self.mode == "code" and not self.may_sign_up(code):
            raise BadClassCode(phrase("no.classCode" if code.strip() else "no.classCodeYet"))

    def may_sign_up(self, code: str) -> bool:
        """Whether the code lets people make an account. It takes the same time for every wrong one."""
        return bool(self._code) and hmac.compare_digest(_plain(code).encode(), self._code.encode())


def _plain(code: str) -> str:
    """The code as it is compared: it is read out in class, so capitals and blanks do not matter."""
    return "".join(code.split()).casefold()
