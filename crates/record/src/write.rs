//! Records as text.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use connect4_protocol::Address;
use connect4_protocol::signed::{AccountSignature, Digest, Signature, SignedSession};
use connect4_rules::{ByPlayer, Player};

use crate::lines::tag;
use crate::record::{Block, Record, SignedGame, Step};
use crate::time::{Moment, Time};
use crate::unseen::is_unseen;
use crate::{SIGNED_VERSION, VERSION};

/// Characters of a line of moves, at most.
const WIDTH: usize = 78;

/// A move in the notation, or `q` and the number of the player who left, from 1.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(action) => action.fmt(f),
            Self::Left(seat) => write!(f, "q{}", u16::from(*seat).saturating_add(1)),
        }
    }
}

/// `0x` and two digits for each byte.
pub(crate) struct Hex<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// `12 0x…`: number and hash.
impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, Hex(&self.hash))
    }
}

/// A session key's signature, as the tag `Session1` has it.
pub(crate) fn session(session: &SignedSession) -> String {
    let until = session.until;
    match &session.signature {
        AccountSignature::Ethereum(signature) => format!("until {until} ethereum {signature}"),
        AccountSignature::Sr25519 {
            public_key,
            signature,
        } => format!(
            "until {until} sr25519 {} {}",
            Hex(public_key),
            Hex(signature)
        ),
    }
}

impl Record {
    /// Names of the tags that say something about the game, in the order in which they are written: all but the
    /// version of the format and what is signed.
    #[must_use]
    pub fn facts(&self) -> Vec<String> {
        let text = self.to_string();
        let names = text.lines().map_while(|line| tag(line));
        let names = names.map(|(name, _)| name.to_owned());
        names.filter(|name| !EVIDENCE.contains(&&**name)).collect()
    }
}

/// Tags that are no [facts](Record::facts): what is signed.
const EVIDENCE: [&str; 8] = [
    "Connect4",
    "Key1",
    "Key2",
    "Session1",
    "Session2",
    "Signature1",
    "Signature2",
    "WitnessSignature",
];

/// The text of a game, with its last line's end. Texts in it that cannot be written are changed: characters
/// that [nobody sees](is_unseen) become spaces, and a `}` in a comment becomes `)`. A step that is not legal is written
/// as it is.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tags = TagsOf { f };
        tags.write(self)?;
        f.write_str("\n")?;
        let mut folded = Folded { f, width: 0 };
        for place in 0..=self.steps.len() {
            let here = self.comments.iter().filter(|(before, _)| *before == place);
            for (_, comment) in here {
                folded.comment(comment)?;
            }
            if let Some(step) = self.steps.get(place) {
                folded.word(&step.to_string())?;
            }
        }
        folded.word(&self.result())?;
        f.write_str("\n")
    }
}

struct TagsOf<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
}

impl TagsOf<'_, '_> {
    fn tag(&mut self, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
        let Some(value) = value else {
            return Ok(());
        };
        write!(self.f, "[{name} \"")?;
        for character in value.to_string().chars() {
            match character {
                '"' | '\\' => write!(self.f, "\\{character}")?,
                _ if is_unseen(character) => self.f.write_str(" ")?,
                _ => write!(self.f, "{character}")?,
            }
        }
        self.f.write_str("\"]\n")
    }

    fn write(&mut self, record: &Record) -> fmt::Result {
        let version = match record.signed_game {
            Some(_) => SIGNED_VERSION,
            None => VERSION,
        };
        self.tag("Connect4", Some(version))?;
        self.tag("Game", record.name())?;
        self.tag("Chain", record.chain)?;
        self.tag("Genesis", hash(record.genesis.as_ref()))?;
        self.tag("Contract", record.contract)?;
        self.tag("Started", record.started)?;
        self.tag("Ended", record.ended)?;
        for (name, account) in PLAYERS.into_iter().zip(&record.players) {
            self.tag(name, Some(account))?;
        }
        self.tag("Terms", Some(record.terms))?;
        self.tag("Clock", record.clock)?;
        self.tag("Limit", record.limit.map(|limit| format!("{limit} s")))?;
        self.tag("Time", record.time.and_then(Time::new))?;
        self.tag("Pool", Some(record.pool).filter(|pool| *pool != 0))?;
        let programs = match (record.programs.one, record.programs.two) {
            (false, false) => None,
            (true, false) => Some("1"),
            (false, true) => Some("2"),
            (true, true) => Some("1 2"),
        };
        self.tag("Programs", programs)?;
        self.tag("Nonce", record.nonce)?;
        if let Some(game) = &record.signed_game {
            self.tag("Witness", game.witness)?;
            self.tag("Event", hash(game.event.as_ref()))?;
            let previous = game.previous.as_ref();
            self.tag("Previous", hash(previous.map(|number| &number.0)))?;
        }
        self.tag("End", record.end)?;
        if let Some(game) = &record.signed_game {
            self.signed_game(record, game)?;
        }
        for (name, value) in &record.other {
            self.tag(name, Some(value))?;
        }
        Ok(())
    }

    fn signed_game(&mut self, record: &Record, game: &SignedGame) -> fmt::Result {
        let Some(evidence) = &game.evidence else {
            return self.keys(record, &game.keys);
        };
        let witnessed = evidence.witnessed;
        self.tag(
            "EndedAt",
            witnessed.and_then(|witnessed| Moment::new(witnessed.at)),
        )?;
        self.keys(record, &game.keys)?;
        self.sessions(&evidence.sessions)?;
        self.signatures(&evidence.signatures)?;
        let signature = witnessed.map(|witnessed| witnessed.signature);
        self.tag("WitnessSignature", signature)
    }

    fn keys(&mut self, record: &Record, keys: &ByPlayer<Address>) -> fmt::Result {
        for (player, name) in Player::ALL.into_iter().zip(KEYS) {
            let key = keys.get(player);
            let is_account = record.players.get(player as usize) == Some(key);
            self.tag(name, Some(key).filter(|_| !is_account))?;
        }
        Ok(())
    }

    fn sessions(&mut self, sessions: &ByPlayer<Option<SignedSession>>) -> fmt::Result {
        for (player, name) in Player::ALL.into_iter().zip(SESSIONS) {
            self.tag(name, sessions.get(player).as_ref().map(session))?;
        }
        Ok(())
    }

    fn signatures(&mut self, signatures: &ByPlayer<Signature>) -> fmt::Result {
        for (player, name) in Player::ALL.into_iter().zip(SIGNATURES) {
            let signature = Some(signatures.get(player));
            self.tag(name, signature.filter(|signature| signature.0 != [0; 65]))?;
        }
        Ok(())
    }
}

/// Tags of the players' session keys.
pub(crate) const KEYS: [&str; 2] = ["Key1", "Key2"];
/// Tags of what accounts have signed about these.
pub(crate) const SESSIONS: [&str; 2] = ["Session1", "Session2"];
/// Tags of the players' signatures.
pub(crate) const SIGNATURES: [&str; 2] = ["Signature1", "Signature2"];

/// Tags of the players.
pub(crate) const PLAYERS: [&str; 4] = ["Player1", "Player2", "Player3", "Player4"];

fn hash(hash: Option<&Digest>) -> Option<Hex<'_>> {
    hash.map(|hash| Hex(hash))
}

/// Words on lines of at most [`WIDTH`] characters, if a word is not longer.
struct Folded<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    width: usize,
}

impl Folded<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.width > 0 {
            let is_full = self.width + 1 + width > WIDTH;
            self.f.write_str(if is_full { "\n" } else { " " })?;
            self.width = if is_full { 0 } else { self.width + 1 };
        }
        self.width += width;
        self.f.write_str(word)
    }

    fn comment(&mut self, comment: &str) -> fmt::Result {
        let comment = comment.replace(is_unseen, " ").replace('}', ")");
        let mut words = comment.split_whitespace().peekable();
        let mut opened = "{";
        loop {
            let word = words.next().unwrap_or_default();
            let closed = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{opened}{word}{closed}"))?;
            opened = "";
            if !closed.is_empty() {
                return Ok(());
            }
        }
    }
}
