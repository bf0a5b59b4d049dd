"""A campaign that many devices play: one writer after another, and everybody is told.

Everything that touches the journal happens on one thread of its own, in the order of the requests; the event
loop never waits for the disk. What the terminal writes meanwhile is noticed by the file's `data_version`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generator import games
from generator.base.errors import HackjackError, UsageError
from generator.model.log import Log
from generator.model.rules import write_custom
from generator.play.chance import CardNeed
from generator.play.event_spec import ArgumentReading
from generator.serve import views
from generator.serve.links import GM, Links, write_links
from generator.serve.log_words import MAX_TOLD, LogInWords, corrected, log_sentences
from generator.serve.slow_work import SlowWork, Worker, Writer
from generator.serve.streams import Streams
from generator.serve.untold import (
    command_for_players,
    error_for_players,
    lines_for_players,
    mentions,
    need_for_players,
    sentence_for_players,
)
from generator.session import prompt, questions, replies, session, several, short_forms
from generator.session.deeds import MAX_DEEDS, Command, Deed
from generator.session.history_edits import entry_line
from generator.session.journal import FullError, Journal
from generator.session.luck import MissingError
from generator.session.page import is_gone, usual_events
from generator.session.party import TABLE, plain_people, shared_state
from generator.session.replies import Reply
from generator.session.session import Session
from generator.session.settable import Settable, settable
from generator.words.chances import plain_chance
from generator.words.wording import capitalised, key_in_words

POLL = 0.1
"""Seconds between two looks for what others wrote."""
FULL = "the journal is full: nothing more is written, and a new campaign has to begin"
UNREADABLE = "the campaign cannot be read just now: the game master sees why"
"""The error that players see for trouble with the journal; the original may quote lines of it."""
AT_THE_TERMINAL = ("import", "export", "quit")
"""What the page does not offer: an export holds the seed and the order of a virtual deck."""

Plain = dict[str, Any]
Text = Annotated[str, Meta(max_length=200)]
DoingId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
ASKING_SECONDS = 300.0
"""A question that nobody has answered so long is told no more: its device may be gone."""


class ForbiddenError(HackjackError):
    """Somebody asks for what is not theirs to do."""


class StaleQuestionError(HackjackError):
    """An answer to a question that is not asked any more."""


class LuckAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table answers to a question: the question as it was asked, and the luck or the choice."""

    need: dict[str, Any]
    cards: Annotated[tuple[Text, ...], Meta(max_length=20)] = ()
    dice: Annotated[tuple[int, ...], Meta(max_length=400)] = ()
    choice: int | None = None
    wait: Annotated[bool, Meta(description="the roll is left for later, where the question says that it can wait")] = (
        False
    )


class Doing(Struct, frozen=True, forbid_unknown_fields=True):
    """What a device asks for: a command as typed, or as a deed; perhaps with the answer to the last question.

    `id` names it for good: sent again, it is answered again and not done again. `on` is the line of the journal that
    the device has seen; where more has happened, nothing that takes luck or a choice is done.

    `mends` is the number in the log of an entry that the deeds replace (none: it is taken out). What that would change
    is answered; with `keep` it is done.
    """

    id: DoingId
    words: Annotated[tuple[Text, ...], Meta(max_length=400)] = ()
    deed: Deed | Annotated[tuple[Deed, ...], Meta(min_length=1, max_length=MAX_DEEDS)] | None = None
    on: int | None = None
    asking: bool = False
    answer: LuckAnswer | None = None
    mends: Annotated[int, Meta(ge=0)] = 0
    keep: bool = False


class Missing(Struct, frozen=True):
    """What has to be asked before a command can be done: nothing is written yet."""

    error: str
    need: dict[str, Any]
    deed: Deed | tuple[Deed, ...]
    on: int
    asking: bool
    so_far: Sequence[Any]
    who: str = ""
    laid: tuple[tuple[str, ...], ...] = ()


class AskedNow(Struct, frozen=True):
    """A question that is open on one device: of which command, whose (GM for the game master), and since when.

    `struck` are those whom the command befalls, and `means` tells them so.
    """

    id: str
    who: str
    do: str
    says: str
    since: float
    struck: Collection[str] = ()
    means: str = ""


class LiveTable:
    """A campaign, the links to it, and the devices that look at it. Used from one event loop."""

    def __init__(
        self,
        name: str,
        journal: Journal,
        path: Path,
        links: Links,
        links_path: Path,
        title: str = "",
        workers: tuple[Worker, Worker] | None = None,
    ) -> None:
        self.name, self.title, self.links = name, title or name, links
        self._journal, self._path, self._links_path = journal, path, links_path
        self._writer, self._counter = workers or (Writer("journal"), SlowWork("odds"))
        self._shown = views.Shown(self.now, LogInWords())
        self._streams = Streams()
        self._views: dict[str, bytes] = {}
        self._told = journal.lines
        self._holders: tuple[Session, Links, dict[str, str]] | None = None
        self._trouble = self._full = ""
        self._asking: dict[str, AskedNow] = {}

    @property
    def now(self) -> Session:
        """The session as it stands."""
        return self._journal.session

    # --- who ---------------------------------------------------------------------------------------------------------

    def holder(self, key: str) -> str | None:
        """Return the owner of a key: a player, GM, or None."""
        now, links, known = self.now, self.links, self._holders
        if known is None or known[0] is not now or known[1] is not links:
            keys = {links.key(now.party.seat(name)): name for name in views.players(now)}
            self._holders = known = (now, links, {**keys, links.key(): GM})
        # Looked up by a hash that is another in each run: how long it takes tells nothing of a key.
        return known[2].get(key)

    def why_not(self, key: str) -> str:
        """Return why a key opens nothing."""
        if self.links.was_key(key):
            return "this link was replaced by a new one: ask the game master for it"
        return "this link does not work, or no longer works: ask the game master for a new one"

    def key(self, name: str) -> str:
        """Return the key in a player's link."""
        return self.links.key(self.now.party.seat(name))

    @property
    def hidden(self) -> tuple[str, ...]:
        """Those whom the other players do not see."""
        return tuple(name for name in views.players(self.now) if self.now.party.seat(name) in self.links.hidden)

    def allowed(self) -> tuple[str, ...]:
        """Return the events that players may do, in the game's order. Only the game master may look."""
        game = self.now.table.game
        events = usual_events(game) if self.links.events is None else self.links.events
        return tuple(name for name in game.EVENTS if name in events and name not in game.LOOKS)

    def _untold(self, who: str) -> Collection[str]:
        """Return the names that somebody is not told: none, where it is the game master."""
        return () if who == GM else views.untold_names(self.now, who, self.hidden)

    @contextmanager
    def errors_for(self, who: str) -> Iterator[None]:
        """Whatever is refused inside is told to `who` without what they may not know."""
        try:
            yield
        except HackjackError as error:
            if who == GM:
                raise
            if str(self._path) in str(error):
                raise HackjackError(self._full or UNREADABLE) from error
            raise error_for_players(error, self._untold(who)) from error

    async def settle(self, events: Sequence[str], hidden: Sequence[str]) -> None:
        """Keep what players may do and who is hidden from them. Raises HackjackError."""
        if unknown := [name for name in events if name not in self.now.table.game.EVENTS]:
            raise UsageError(f'there is no event "{unknown[0][:40]}"')
        seats = tuple(dict.fromkeys(map(self.now.party.seat, hidden)))
        await self._change(lambda links: replace(links, events=tuple(dict.fromkeys(events)), hidden=seats))

    async def renew(self, name: str) -> None:
        """Make a new link for a player; the old one, and its streams, end at once. Raises HackjackError."""
        if name not in views.players(self.now):
            raise UsageError(f'there is no player "{name[:40]}" here')
        seat = self.now.party.seat(name)
        await self._change(lambda links: links.with_new_link(seat))

    async def _change(self, change: Callable[[Links], Links]) -> None:
        """Keep changed links, and tell all devices."""

        def kept() -> None:
            links = change(self.links)
            write_links(self._links_path, links)
            self.links = links

        # On the writer's thread one change follows the other, and none is lost.
        await self._writer.do(kept)
        self._announce()

    # --- looking -----------------------------------------------------------------------------------------------------

    def view(self, who: str) -> bytes:
        """Return a person's view as JSON, made once for all their devices."""
        if who not in self._views:
            self._views[who] = encode_json(self._view(who))
        return self._views[who]

    def _view(self, who: str) -> Plain:
        if self._shown.now is not self.now:
            self._shown = views.Shown(self.now, self._shown.log, self._shown)
        now = self._shown.now
        trouble = self._full or (self._trouble if who == GM else self._trouble and UNREADABLE)
        common = {
            "campaign": self.name,
            "title": self.title,
            "on": now.lines,
            "version": self._streams.version,
            "trouble": trouble,
        }
        if who == GM:
            settled = {"player_events": self.allowed(), "hidden": self.hidden, "asking": self._open_questions()}
            return {**common, **settled, **views.gm_view(self._shown)}
        allowed = self.allowed()
        struck = [one.means for one in self._asking.values() if who in one.struck and one.who != who]
        undo = prompt.typed_command(now.now.command, now.table) if _can_undo(who, now) else ""
        mine = {"events": allowed, "last_words": last_words(now, who)}
        mine["undo"] = command_for_players(undo, self._untold(who))
        mine["struck"] = sentence_for_players(struck[0], self._untold(who)) if struck else ""
        return {**common, **mine, **views.player_view(self._shown, who, self.hidden, allowed)}

    # --- questions ---------------------------------------------------------------------------------------------------

    def _open_questions(self) -> list[Plain]:
        """Return the questions that are open on devices."""
        return [{"id": one.id, "who": one.who, "do": one.do, "says": one.says} for one in self._asking.values()]

    def _is_asked(self, id: str, who: str, missing: Missing) -> None:
        """Tell other devices that somebody is asked something."""
        kind = {"card": "draws a card", "roll": "is rolling"}.get(missing.need["kind"], "is choosing")
        deeds = (missing.deed,) if isinstance(missing.deed, Deed) else missing.deed
        does = f"{'the game master' if who == GM else who} {kind}"
        says = capitalised(does)
        amount = ["for"] if deeds[0].who and deeds[0].words[:1] and deeds[0].words[0].isdigit() else []
        means = f"{capitalised(' '.join([key_in_words(deeds[0].do), *amount, *deeds[0].words]))}: {does}."
        struck = {deed.who for deed in deeds} | {missing.who}
        before = self._asking.get(who)
        self._asking[who] = now = AskedNow(id, who, deeds[0].do, says, time.monotonic(), struck, means)
        if before is None or replace(before, since=now.since) != now:
            self._announce()

    def cancel(self, id: str, who: str) -> None:
        """Forget a question that was given up by whoever was asked it."""
        if who in self._asking and self._asking[who].id == id:
            del self._asking[who]
            self._announce()

    def _forget_old_questions(self) -> None:
        for one in [*self._asking.values()]:
            if time.monotonic() - one.since > ASKING_SECONDS:
                self.cancel(one.id, one.who)

    def changes(self, key: str) -> AsyncIterator[bytes]:
        """Yield the view for a key, now and after each change, as server-sent events. Raises CrowdedError."""

        def gone() -> bytes:
            return encode_json({"error": self.why_not(key)})

        return self._streams.follow(lambda: None if (who := self.holder(key)) is None else self.view(who), gone)

    def end_streams(self) -> None:
        """Let every stream end."""
        self._streams.end()

    def close(self) -> None:
        """End all streams, and let what was begun be written."""
        self.end_streams()
        self._writer.close()

    async def watch(self) -> None:
        """Tell the devices what others write to the journal, until the server ends."""
        while not self._streams.ended:
            await asyncio.sleep(POLL)
            self._forget_old_questions()
            trouble = self._trouble
            try:
                # Without news this looks at one page of the file.
                await self._writer.do(self._journal.catch_up)
                self._trouble = ""
            except HackjackError as error:
                self._trouble = str(error)
            if self._journal.lines != self._told or self._trouble != trouble:
                self._announce()

    def _announce(self) -> None:
        self._views.clear()
        self._told = self._journal.lines
        self._streams.announce()

    def choices(
        self, who: str, event: str, whom: str, words: Sequence[str], at: Mapping[str, str]
    ) -> dict[str, list[str]]:
        """Return the arguments that an event may take now and `who` may know. Raises HackjackError."""
        with self.errors_for(who):
            choices = views.choices(self.now, event, whom, words, at)
        untold = self._untold(who)
        return {name: [value for value in values if not mentions(value, untold)] for name, values in choices.items()}

    async def odds(self, words: Sequence[str]) -> list[Plain]:
        """Return how an event would go for everybody who lives: chances, said in short, or why there are none."""
        return await self._counter.do(_odds, self.now, tuple(words))

    async def rules(self, who: str) -> Plain:
        """Return the rules to look up: the reference, and for the game master the screen."""
        products = ("screen", "reference") if who == GM else ("reference",)
        return await self._counter.do(views.rules, self.now.table.system, products)

    async def settable(self, name: str) -> Sequence[Settable]:
        """Return the values of a character, or of a shared table, that can be set. Raises UsageError."""
        now = self.now
        names = (*plain_people(now.table.game, now.party), *([TABLE] if now.table.game.SHARED else []))
        if name not in names:
            raise UsageError(f'nobody here is called "{name[:40]}"')
        return await self._counter.do(settable, now.table, now.party, name)

    # --- doing -------------------------------------------------------------------------------------------------------

    async def do(self, doing: Doing, who: str) -> Plain | Missing:
        """Do a command for somebody and tell all devices. Raises HackjackError; nothing has happened then.

        Returns the answer, as `play --json` gives it, or what has to be asked before.
        """
        with self.errors_for(who):
            try:
                done = await self._writer.do(self._do, doing, who)
                if isinstance(done, Missing) and not doing.mends:
                    self._is_asked(doing.id, who, done)
                else:
                    self._asking.pop(who, None)
                return done
            except FullError:
                # A player may have sent as much as one player may, while the journal has room for the others.
                if who == GM:
                    self._full = FULL
                    self._announce()
                raise
            finally:
                if self._journal.lines != self._told:
                    self._announce()
                    # Those who look on are told first; then whoever asked is answered.
                    await asyncio.sleep(0)

    def _do(self, doing: Doing, who: str) -> Plain | Missing:
        """Return the result of the same call on the writer's thread."""
        games.READS_FILES.set(False)
        self._journal.catch_up()
        now = self.now
        if doing.mends and who != GM:
            raise ForbiddenError("only the game master corrects the log")
        if doing.mends and not doing.words:
            deeds = () if doing.deed is None else (doing.deed,) if isinstance(doing.deed, Deed) else doing.deed
            return self._done(doing, deeds, who)
        if doing.deed is None and not doing.words:
            raise UsageError('write what to do: {"words": ["hit", "bryn", "9"]}, or a deed')
        if doing.deed is None:
            if who != GM and doing.words[0] == "note" and "note" not in now.table.game.EVENTS:
                return self._done(doing, (self._last_words(who, doing, now),), who)
            name, words = self._in_full(doing.words, who, now)
            if name in AT_THE_TERMINAL:
                raise UsageError(f"{name} belongs to the terminal: hackjack play --campaign {self.name} {name}")
            if who == GM and (reply := replies.reply_at_once(name, words, now)) is not None:
                return self._plain_reply(reply, read_only=True)
            self._check_player(who, name)
            if name == "mend" and name not in now.table.game.EVENTS:
                raise UsageError('correct an entry of the log by its number: {"mends": 3, "deed": ...}')
            deeds = several.read_deeds(name, words, now)
        else:
            deeds = (doing.deed,) if isinstance(doing.deed, Deed) else doing.deed
            if who == GM and deeds[0].do in now.table.game.LOOKS:
                return self._plain_reply(replies.look_reply(now, deeds[0]), read_only=True)
        if any(deed.hidden for deed in deeds):
            raise UsageError("The program rolls hidden dice. Leave them out.")
        for deed in deeds:
            if who != GM and not self._journal.knows(doing.id):
                self._check_own(who, deed, now)
        return self._done(doing, deeds, who)

    def _in_full(self, typed: Sequence[str], who: str, now: Session) -> tuple[str, Sequence[str]]:
        """Return a command in full words, as a player types it: what else it may mean would tell them who is there."""
        if who != GM:
            return prompt.read_command(typed[0], now.table.game), typed[1:]
        return short_forms.read_line(typed, now)

    def _plain_reply(self, reply: Reply, *extra_lines: str, read_only: bool = False) -> Plain:
        """Return a reply as `play --json` gives it; `read_only` marks one to a command that changes nothing."""
        value = reply.value if isinstance(reply.value, dict) else {"entries": reply.value}
        more = {"read_only": True} if read_only else {}
        return {**value, "lines": [*reply.lines, *extra_lines], "on": self._journal.lines, **more}

    def _done(self, doing: Doing, deeds: tuple[Deed, ...], who: str) -> Plain | Missing:
        now, asking = self.now, doing.asking
        on = self._journal.lines if doing.on is None and deeds and deeds[0].do == "undo" else doing.on
        mends = entry_line(now, doing.mends) if doing.mends else 0
        if doing.answer is not None:
            is_repeated = self._journal.knows(doing.id)
            asked_again = Command(deeds, mends=mends)
            place = 0 if is_repeated else _check_question(now, asked_again, doing.answer, asking, self._untold(who))
            if is_repeated and len(deeds) > 1:
                # It is answered as it was the first time, whatever luck is sent with it.
                deeds = tuple(replace(deed, cards=(), dice=(), choices=()) for deed in deeds)
            else:
                choices = () if doing.answer.choice is None else (doing.answer.choice,)
                deeds = questions.with_luck(deeds, place, doing.answer.cards, doing.answer.dice, choices)
            asking = asking and not doing.answer.wait
        command = Command(deeds, doing.id, "gm" if who == GM else "player", who, mends=mends)
        do = partial(session.advance, now) if mends and not doing.keep else partial(self._journal.do, on=on)
        try:
            step = do(command, asking=asking)
        except MissingError as missing:
            so_far = self._heard(missing.so_far, now, who)
            need = questions.question_of(need_for_players(missing.need, self._untold(who)), now.table).plain
            asked = deeds[0] if len(deeds) == 1 else deeds
            error = sentence_for_players(games.missing_luck(missing, now.table.system), self._untold(who))
            laid = missing.need.laid if isinstance(missing.need, CardNeed) else ()
            return Missing(error, dict(need), asked, self._journal.lines, asking, so_far, missing.whose, laid)
        if mends:
            return {**corrected(step), "on": self._journal.lines}
        self._shown.log.hear(step)
        if who != GM:
            return {"lines": [line["text"] for line in self._heard(step.log, now, who)], "on": self._journal.lines}
        return self._plain_reply(replies.describe_step(step))

    def _heard(self, log: Log, now: Session, who: str) -> Sequence[Mapping[str, Any]]:
        """Return the log lines that this player may see."""
        sentences = log_sentences(log, now.table.system)
        return sentences if who == GM else lines_for_players(sentences, self._untold(who))

    def _last_words(self, who: str, doing: Doing, now: Session) -> Deed:
        """Return the note that the dead may leave, once. Raises ForbiddenError, UsageError."""
        if not self._journal.knows(doing.id) and last_words(now, who) != "open":
            raise ForbiddenError("note is for the game master; the dead may leave one, soon after their death")
        return replace(prompt.read_deed("note", [" ".join(doing.words[1:])], now.table, now.party), who=who)

    def _check_player(self, who: str, name: str) -> None:
        """Raise ForbiddenError unless a player may do an event of that name."""
        if who != GM and name not in (*self.allowed(), "undo"):
            raise ForbiddenError(f"{name[:40]} is not for players: ask the game master")

    def _check_own(self, who: str, deed: Deed, now: Session) -> None:
        """Raise ForbiddenError unless a player may do this: their own events, and their own last command back."""
        game = now.table.game
        self._check_player(who, deed.do)
        if deed.do == "undo":
            if deed != Deed("undo"):
                raise ForbiddenError("write undo alone here: it takes back your own last command")
            if not _can_undo(who, now):
                raise ForbiddenError("you can take back your own last command only, while nobody has acted after it")
            return
        if not game.SHARED:
            if deed.who != who and not views.may_help(now, who, deed.who, deed.do, self.hidden, self.allowed()):
                raise ForbiddenError("you can act only for your own character")
            return
        taken = ArgumentReading(game.EVENTS[deed.do], list(deed.words), deed.at, game.READERS, "")
        named = [taken.values.get(each.name) for each in game.EVENTS[deed.do].takes if each.kind == "person"][:1]
        acting = game.acting(shared_state(game, now.party))
        if ((named and named[0]) or acting) != who:
            raise ForbiddenError(f"{deed.do} is for someone else now: name yourself, or wait for your turn")


def last_words(now: Session, who: str) -> str:
    """Return "open" if a character has just died and may leave a note, "said" once they have, else nothing."""
    game = now.table.game
    for moment in islice(now.moments(), MAX_TOLD):
        command = moment.command
        if command.is_from(who) and any(deed.do == "note" for deed in command.deeds):
            return "said"
        after = plain_people(game, moment.party).get(who)
        before = plain_people(game, moment.before.party).get(who) if moment.before else None
        if after is None or not is_gone(game, after):
            return ""
        if before is not None and not is_gone(game, before):
            return "open"
    return ""


def _can_undo(who: str, now: Session) -> bool:
    """Return whether the newest command is this player's own."""
    try:
        session.undo_of_own(now, who)
    except HackjackError:
        return False
    return True


def _check_question(now: Session, command: Command, answer: LuckAnswer, asking: bool, untold: Collection[str]) -> int:
    """Return the place of the deed that an answer is for. Raises StaleQuestionError for another question."""
    try:
        session.advance(now, command, asking=asking)
    except MissingError as missing:
        place = missing.place
        plain = questions.question_of(need_for_players(missing.need, untold), now.table).plain
        asked = msgspec.json.decode(encode_json(plain))
    else:
        raise StaleQuestionError("this question was answered already: look at the table, and begin again")
    if asked != answer.need:
        raise StaleQuestionError("the question has changed: look at the table, and begin again")
    return place


def _odds(now: Session, words: Sequence[str]) -> list[Plain]:
    """Return how likely an event kills each of those who live, and what else the game counts, said in short."""
    game = now.table.game
    living = [name for name, plain in plain_people(now.table.game, now.party).items() if game.is_alive(plain)]
    return [_chances(name, words, now) for name in ([TABLE] if game.SHARED else living)]


def _chances(who: str, words: Sequence[str], now: Session) -> Plain:
    try:
        head, answer = replies.event_odds(who, words, now)
    except HackjackError as error:
        return {"who": who, "error": str(error)}
    death = None if answer.death is None else plain_chance(answer.death)
    lines = answer.lines if answer.brief is None else answer.brief
    return {"who": who, "event": head, "death": death, "counts": answer.counts, "lines": lines}


def encode_json(value: Any) -> bytes:
    """Return a value as JSON."""
    return msgspec.json.encode(value, enc_hook=write_custom)
