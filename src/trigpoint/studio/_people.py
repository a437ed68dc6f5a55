"""Who may come in: links, and the passwords and sessions of those whose link has a name.

A *link* is a token, a role, and a name or nobody's. A named person has one link for as long as it is not
ended, and nobody's links are one for each role, so that the same link is shown again. What was ended stays
ended: who is invited again gets another token.

Whoever holds a named link may set a password, and then signs in with name and password instead. That gives a
*session*: a secret in the browser's cookie, of which the store has the digest. It ends with its link.

    password   scrypt, salted; an unknown name costs the same work and gets the same answer
    tries      counted before they are looked at, for each name and in all; the wait doubles
"""

import asyncio
import hashlib
import hmac
import secrets
import unicodedata
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic, time

from trigpoint.studio._event_store import Store
from trigpoint.studio._events import person_problem
from trigpoint.studio._roles import Role, Visitor

SHORTEST, LONGEST = 8, 200  # characters of a password
COST = {"n": 2**14, "r": 8, "p": 5}  # 16 MB and a fifth of a second
SESSION = 30 * 86400.0  # seconds that somebody stays signed in
SESSIONS = 20  # of one person at once; the oldest end first
FREE, MOST = 4, 900.0  # tries for one name without a wait, and the longest wait in seconds
FREE_ALL, MOST_ALL = 30, 5.0  # the same for all names together: nobody can shut the others out for long
FADE = 900.0  # seconds without a try after which all tries are forgotten
NAMES = 10_000  # of whom something is known at once


@dataclass(frozen=True)
class Link:
    """``salt`` and ``password`` (its hash) are None where nobody set one."""

    id: str
    token: str
    role: Role
    name: str | None
    made: float
    ended: float | None = None
    salt: bytes | None = field(default=None, repr=False)
    password: bytes | None = field(default=None, repr=False)


class Tries:
    """How long the next try must wait: the first ``free`` do not, then 1, 2, 4 ... seconds up to ``most``."""

    def __init__(self, free: int, most: float) -> None:
        self._free, self._most = free, most
        self._made: OrderedDict[str, tuple[int, float]] = OrderedDict()  # key -> how many, the last when

    def wait(self, key: str, now: float) -> float:
        count, last = self._made.get(key, (0, now))
        if count < self._free or now - last > FADE:
            return 0.0
        return max(0.0, last + min(2.0 ** min(count - self._free, 30), self._most) - now)

    def add(self, key: str, now: float) -> None:
        count, last = self._made.pop(key, (0, now))
        self._made[key] = (1 if now - last > FADE else count + 1), now
        if len(self._made) > NAMES:
            self._made.popitem(last=False)

    def take_back(self, key: str) -> None:
        """One try was right."""
        count, last = self._made.get(key, (0, 0.0))
        self._made[key] = max(count - 1, 0), last

    def forgive(self, key: str) -> None:
        self._made.pop(key, None)


class People:
    """The links of one store. It belongs to the loop; what takes long runs in threads."""

    def __init__(self, store: Store, owner: str) -> None:
        """``owner`` is the token of the link that the terminal prints."""
        self._store = store
        self._owner = digest(owner)
        columns = "id, token, role, name, made, ended, salt, password"
        found = [Link(*row) for row in store.rows(f"SELECT {columns} FROM links ORDER BY made")]
        self._links = {link.id: link for link in found}
        self._tokens = {digest(link.token): link.id for link in found}
        sessions = store.rows("SELECT digest, link, made FROM sessions ORDER BY made")
        self._sessions: dict[str, tuple[str, float]] = {key: (link, made) for key, link, made in sessions}
        self._change = asyncio.Lock()  # of the store and of what is known here, together
        self._hashing = asyncio.Lock()  # one at a time: it takes a whole core
        self._tries, self._all = Tries(FREE, MOST), Tries(FREE_ALL, MOST_ALL)
        self.heard: dict[str, float] = {}  # name -> when somebody was last there with it

    def visitor(self, secret: str) -> Visitor | None:
        """Who has this token, or this session; None: nobody."""
        key = digest(secret)
        if hmac.compare_digest(key, self._owner):
            return Visitor()
        session = self._sessions.get(key)
        if session is not None and session[1] + SESSION < time():
            return None
        link = self._links.get(self._tokens.get(key, "") if session is None else session[0])
        if link is None:
            return None
        if link.name is not None:
            self.hear(link.name)
        return Visitor(link.role, link.name, link.id, link.ended is not None)

    def hear(self, name: str) -> None:
        """Somebody is there; of many names those that were last heard of are kept."""
        self.heard.pop(name, None)
        self.heard[name] = time()
        if len(self.heard) > NAMES:
            del self.heard[next(iter(self.heard))]

    @property
    def links(self) -> list[Link]:
        """Those that were not ended, the oldest first."""
        return [link for link in self._links.values() if link.ended is None]

    @property
    def has_passwords(self) -> bool:
        return any(link.password is not None for link in self.links)

    def owner_of(self, name: str) -> Link | None:
        """The link of a person; one spelled with other capitals is the same person."""
        wanted = name_key(name)
        return next((link for link in self.links if link.name and name_key(link.name) == wanted), None)

    def name_problem(self, visitor: Visitor, name: str) -> str | None:
        """Why a visitor may not act as ``name``.

        An owner whose link is nobody's may: they have everybody's links anyway.
        """
        if visitor.name is not None:
            wrong = name != visitor.name
            return f"annotator must be {visitor.name!r}, whose link this is; got {name!r}." if wrong else None
        if visitor.role == "owner" or self.owner_of(name) is None:
            return None
        return f"{name!r} has a link of their own: open that link, or give another name."

    async def invite(self, role: Role, name: str | None) -> Link:
        """The link of a person, or nobody's of this role; a person who has one keeps it, in the new role."""
        name = None if name is None else name.strip()
        why = None if name is None else person_problem(name, "name")
        if why is not None:
            raise ValueError(why)
        async with self._change:
            nobodys = (link for link in self.links if link.name is None and link.role == role)
            known = next(nobodys, None) if name is None else self.owner_of(name)
            if known is None:
                known = Link(secrets.token_hex(8), secrets.token_urlsafe(32), role, name, time())
                row = (known.id, known.token, role, name, known.made)
                await self._write(("INSERT INTO links(id, token, role, name, made) VALUES (?,?,?,?,?)", row))
            elif known.role != role:
                known = replace(known, role=role)
                await self._write(("UPDATE links SET role = ? WHERE id = ?", (role, known.id)))
            self._links[known.id] = known
            self._tokens[digest(known.token)] = known.id
        return known

    async def end(self, link: str) -> bool:
        """End a link, its password and its sessions; whether there was one."""
        async with self._change:
            known = self._links.get(link)
            if known is None or known.ended is not None:
                return False
            ended = replace(known, ended=time(), salt=None, password=None)
            change = "UPDATE links SET ended = ?, salt = NULL, password = NULL WHERE id = ?"
            await self._write((change, (ended.ended, link)))
            self._links[link] = ended
        return True

    async def set_password(self, link: str, password: str, secret: str) -> None:
        """Set the password of a link; other sessions than the one of ``secret`` end."""
        _check_password(password)
        salt = secrets.token_bytes(16)
        async with self._hashing:
            hashed = await asyncio.to_thread(_hash, password, salt)
        async with self._change:
            known = self._links[link]
            if known.ended is not None:
                raise ValueError("the link must stand; it was ended.")
            kept = digest(secret)
            await self._write(
                ("UPDATE links SET salt = ?, password = ? WHERE id = ?", (salt, hashed, link)),
                ("DELETE FROM sessions WHERE link = ? AND digest <> ?", (link, kept)),
            )
            self._links[link] = replace(known, salt=salt, password=hashed)
            others = [key for key, (of, _) in self._sessions.items() if of == link and key != kept]
            for key in others:
                del self._sessions[key]

    def wait(self, name: str) -> float:
        """Seconds before somebody may try to sign in with this name."""
        now = monotonic()
        return max(self._tries.wait(name_key(name), now), self._all.wait("", now))

    async def sign_in(self, name: str, password: str) -> str | None:
        """The secret of a new session; None where name and password do not belong together."""
        key, now = name_key(name), monotonic()
        self._tries.add(key, now)
        self._all.add("", now)
        link = self.owner_of(name)
        salt = link.salt if link is not None and link.salt is not None else b"\0" * 16
        async with self._hashing:
            given = await asyncio.to_thread(_hash, password[: LONGEST + 1], salt)
        wanted = link.password if link is not None and link.password is not None else b""
        if not hmac.compare_digest(given, wanted) or link is None:
            return None
        self._tries.forgive(key)
        self._all.take_back("")
        secret = secrets.token_urlsafe(32)
        async with self._change:
            if self._links[link.id].password != link.password:  # ended or changed meanwhile
                return None
            await self._begin(digest(secret), link.id)
        return secret

    async def _begin(self, key: str, link: str) -> None:
        now = time()
        own = [one for one, (of, made) in self._sessions.items() if of == link or made + SESSION < now]
        old = [one for one in own if self._sessions[one][1] + SESSION < now]
        old += [one for one in own if one not in old][: max(0, len(own) - len(old) - SESSIONS + 1)]
        gone = [("DELETE FROM sessions WHERE digest = ?", (one,)) for one in old]
        new = ("INSERT INTO sessions(digest, link, made) VALUES (?, ?, ?)", (key, link, now))
        await self._write(*gone, new)
        for one in old:
            del self._sessions[one]
        self._sessions[key] = link, now

    async def sign_out(self, secret: str) -> None:
        """End a session; a link stays."""
        key = digest(secret)
        async with self._change:
            if self._sessions.pop(key, None) is not None:
                await self._write(("DELETE FROM sessions WHERE digest = ?", (key,)))

    async def _write(self, *statements: tuple[str, Sequence[object]]) -> None:
        await asyncio.to_thread(self._store.change, *statements)


def digest(secret: str) -> str:
    """What is kept of a secret that is long and random."""
    return hashlib.sha256(secret.encode()).hexdigest()


def name_key(name: str) -> str:
    """The same for names that people would take for the same.

    >>> name_key("  Ada  LOVELACE ")
    'ada lovelace'
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(unicodedata.normalize("NFC", password).encode(), salt=salt, **COST)


def _check_password(password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        rule = f"must have {SHORTEST} to {LONGEST} characters"
        raise ValueError(f"password {rule}; got {len(password)}.")
