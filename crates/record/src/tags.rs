//! The tags of a game, taken one after the other.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::str::FromStr;

use connect4_protocol::signed::{
    AccountSignature, GameNumber, Signature, SignedSession, Witnessed,
};
use connect4_protocol::{Address, End, GameId, GameName};
use connect4_rules::variant::{Variant, VariantSpec};
use connect4_rules::{ByPlayer, Player};

use crate::error::{Error, Fault};
use crate::record::{Block, EndEvidence, Record, SignedGame};
use crate::time::{Moment, Time};
use crate::write::{KEYS, PLAYERS, SESSIONS, SIGNATURES, session};
use crate::{MOST_TAGS, SIGNED_VERSION, VERSION};

struct Tag {
    line: u32,
    name: String,
    value: String,
}

/// The tags of a game that are not taken yet.
#[derive(Default)]
pub(crate) struct Tags {
    tags: Vec<Tag>,
    /// The line of the tag that was taken last.
    line: u32,
}

impl Tags {
    pub(crate) fn add(&mut self, line: u32, name: &str, value: String) -> Result<(), Error> {
        if self.tags.is_empty() {
            let is_right = name == "Connect4";
            if !is_right {
                return Err(Fault::NoVersion.at(line));
            }
            if ![VERSION, SIGNED_VERSION]
                .map(|version| version.to_string())
                .contains(&value)
            {
                return Err(Fault::OtherVersion(value).at(line));
            }
        }
        if self.tags.iter().any(|tag| tag.name == name) {
            return Err(Fault::TagTwice(name.into()).at(line));
        }
        if self.tags.len() == MOST_TAGS {
            return Err(Fault::ManyTags.at(line));
        }
        self.tags.push(Tag {
            line,
            name: name.into(),
            value,
        });
        Ok(())
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.tags.iter().position(|tag| tag.name == name)?;
        let tag = self.tags.remove(place);
        self.line = tag.line;
        Some(tag.value)
    }

    /// The value of a tag, read by a function that says why it cannot. `write` gives it back as a record has
    /// it: one value has one form, so that no two texts prove the same.
    fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
        write: impl FnOnce(&T) -> String,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.take(name) else {
            return Ok(None);
        };
        let value = read(&text).and_then(|value| match write(&value) {
            written if written == text => Ok(value),
            written => Err(format!("it is written {written:?}, and not {text:?}")),
        });
        let value = value.map_err(|why| Fault::BadTag { tag: name, why }.at(self.line));
        value.map(Some)
    }

    fn parsed<T>(&mut self, name: &'static str) -> Result<Option<T>, Error>
    where
        T: FromStr<Err: Display> + ToString,
    {
        let read = |text: &str| text.parse().map_err(|error: T::Err| error.to_string());
        self.read(name, read, T::to_string)
    }

    /// What the tags say, which are in the lines up to `last`.
    pub(crate) fn into_record(mut self, last: u32) -> Result<Record, Error> {
        let version = self.take("Connect4");
        let is_signed_game = version == Some(SIGNED_VERSION.to_string());
        let terms = self.read("Terms", terms, Variant::to_string)?;
        let terms = terms.ok_or_else(|| Fault::Missing("Terms").at(last))?;
        let mut record = Record::new(terms);
        match is_signed_game {
            true => record.game = self.parsed("Game")?,
            false => (record.game, record.earlier) = self.game()?,
        }
        record.chain = self.parsed("Chain")?;
        record.genesis = self.parsed::<Bytes<32>>("Genesis")?.map(|hash| hash.0);
        record.contract = self.parsed("Contract")?;
        record.started = self.read("Started", block, Block::to_string)?;
        record.ended = self.read("Ended", block, Block::to_string)?;
        for (seat, name) in (0..).zip(PLAYERS) {
            if let Some(account) = self.parsed::<Address>(name)? {
                if record.players.len() != seat {
                    let needs = PLAYERS[record.players.len()];
                    return Err(Fault::Needs { tag: name, needs }.at(self.line));
                }
                record.players.push(account);
            }
        }
        let (named, players) = (record.players.len(), terms.players());
        if named != 0 && named != usize::from(players) {
            return Err(Fault::Players { named, players }.at(last));
        }
        record.clock = self.parsed("Clock")?;
        record.limit = self.read("Limit", limit, |limit| format!("{limit} s"))?;
        record.time = self.parsed::<Time>("Time")?.map(Time::seconds);
        record.pool = self.parsed("Pool")?.unwrap_or_default();
        record.programs = match self.take("Programs").as_deref() {
            None => ByPlayer::default(),
            Some("1") => by_player(true, false),
            Some("2") => by_player(false, true),
            Some("1 2") => by_player(true, true),
            Some(_) => {
                let why = "expected the players who are programs: 1, 2, or 1 2".into();
                let tag = "Programs";
                return Err(Fault::BadTag { tag, why }.at(self.line));
            }
        };
        record.nonce = self.parsed("Nonce")?;
        record.end = self.parsed("End")?;
        match is_signed_game {
            true => record.signed_game = Some(self.signed_game(&record, last)?),
            false => self.pass_over(record.earlier.is_some())?,
        }
        check_kind(&record).map_err(|fault| fault.at(last))?;
        let others = self.tags.into_iter();
        record.other = others.map(|tag| (tag.name, tag.value)).collect();
        Ok(record)
    }

    /// The name of a game of the first version, or that of one of an earlier version of this program.
    fn game(&mut self) -> Result<(Option<GameName>, Option<String>), Error> {
        let is_fast = |tag: &Tag| tag.name == "Game" && is_fast(&tag.value);
        if self.tags.iter().any(is_fast) {
            return Ok((None, self.take("Game")));
        }
        Ok(match self.parsed("Game")? {
            Some(GameName::Terms(number)) => (None, Some(number.to_string())),
            game => (game, None),
        })
    }

    /// Passes over what the players of a game of an earlier version have signed; others have no such tags.
    fn pass_over(&mut self, is_earlier: bool) -> Result<(), Error> {
        let names = [KEYS, SESSIONS, SIGNATURES, ["Signed", "Statements"]];
        for name in names.into_iter().flatten() {
            if self.take(name).is_some() && !is_earlier {
                return Err(Fault::NoSuchTag(name).at(self.line));
            }
        }
        Ok(())
    }

    /// What a signed game has, whose other tags are in the record.
    fn signed_game(&mut self, record: &Record, last: u32) -> Result<SignedGame, Error> {
        let missing = |tag| Fault::Missing(tag).at(last);
        match record.game {
            Some(GameName::Terms(_)) => {}
            Some(GameName::Chain(_)) => {
                let why = "a game of this version has the digest of its terms".into();
                return Err(Fault::BadTag { tag: "Game", why }.at(last));
            }
            None => return Err(missing("Game")),
        }
        let &[one, two] = record.players.as_slice() else {
            return Err(missing("Player1"));
        };
        record.chain.ok_or_else(|| missing("Chain"))?;
        record.genesis.ok_or_else(|| missing("Genesis"))?;
        record.time.ok_or_else(|| missing("Time"))?;
        record.nonce.ok_or_else(|| missing("Nonce"))?;
        let others = [
            ("Contract", record.contract.is_some()),
            ("Stake", self.take("Stake").is_some()),
            ("Signed", self.take("Signed").is_some()),
            ("Statements", self.take("Statements").is_some()),
        ];
        if let Some((tag, _)) = others.into_iter().find(|(_, is_there)| *is_there) {
            return Err(Fault::NoSuchTag(tag).at(last));
        }
        let witness = self.parsed("Witness")?;
        let event = self.parsed::<Bytes<32>>("Event")?.map(|digest| digest.0);
        let previous = self.parsed::<Bytes<32>>("Previous")?;
        let previous = previous.map(|digest| GameNumber(digest.0));
        let at = self.parsed::<Moment>("EndedAt")?;
        let ByPlayers {
            keys,
            sessions,
            signatures,
        } = self.by_players(record)?;
        let signature = self.parsed::<Bytes<65>>("WitnessSignature")?;
        let witnessed = match (at, signature) {
            (None, None) => None,
            (None, Some(_)) => return Err(missing("EndedAt")),
            (Some(_), None) => return Err(missing("WitnessSignature")),
            (Some(at), Some(Bytes(signature))) => Some(Witnessed {
                at: at.milliseconds(),
                signature: Signature(signature),
            }),
        };
        let has_sessions = sessions.one.is_some() || sessions.two.is_some();
        let is_signed = Player::ALL.map(|player| *signatures.get(player) != Signature::NONE);
        let evidence = match is_signed {
            [false, false] if !has_sessions && witnessed.is_none() => None,
            [false, _] => return Err(missing("Signature1")),
            [true, false] => return Err(missing("Signature2")),
            [true, true] => Some(EndEvidence {
                sessions,
                signatures,
                witnessed,
            }),
        };
        match record.end {
            None if evidence.is_some() => return Err(missing("End")),
            Some(end) if !is_signed_end(end) => {
                let why = "a signed game has no such end".into();
                return Err(Fault::BadTag { tag: "End", why }.at(last));
            }
            _ => {}
        }
        Ok(SignedGame {
            keys: ByPlayer {
                one: keys.one.unwrap_or(one),
                two: keys.two.unwrap_or(two),
            },
            witness,
            event,
            previous,
            evidence,
        })
    }

    /// Keys, sessions and signatures of the players.
    fn by_players(&mut self, record: &Record) -> Result<ByPlayers, Error> {
        let mut found = ByPlayers::default();
        for player in Player::ALL {
            let name = KEYS[player as usize];
            let key = self.parsed::<Address>(name)?;
            // A key that is the account's own is not written.
            if key.is_some() && key == record.players.get(player as usize).copied() {
                return Err(Fault::NoSuchTag(name).at(self.line));
            }
            found.keys[player] = key;
            let name = SESSIONS[player as usize];
            let session = self.read(name, read_session, session)?;
            found.sessions[player] = session;
            let name = SIGNATURES[player as usize];
            let signature = self.parsed::<Bytes<65>>(name)?;
            found.signatures[player] =
                signature.map_or(Signature::NONE, |bytes| Signature(bytes.0));
        }
        Ok(found)
    }
}

/// Tags of two players.
#[derive(Default)]
struct ByPlayers {
    /// Keys that are not the account's own.
    keys: ByPlayer<Option<Address>>,
    sessions: ByPlayer<Option<SignedSession>>,
    /// [`Signature::NONE`] of a player without a signature.
    signatures: ByPlayer<Signature>,
}

/// Whether a signed game without a stake can end so.
const fn is_signed_end(end: End) -> bool {
    matches!(
        end,
        End::Line | End::FullBoard | End::Resignation | End::Agreement | End::Timeout
    )
}

/// Whether the terms are those of such a game.
fn check_kind(record: &Record) -> Result<(), Fault> {
    let terms = record.terms;
    match (record.game, &record.earlier) {
        (Some(GameName::Chain(GameId::Classic(_))), _) if !terms.is_classic() => {
            return Err(Fault::NotOfTwo(""));
        }
        (Some(GameName::Terms(_)), _) | (_, Some(_)) if !VariantSpec::from(terms).is_of_two() => {
            return Err(Fault::NotOfTwo(" and the pie rule"));
        }
        _ => {}
    }
    let is_there = [
        (
            "Clock",
            record.clock.is_some() && (record.is_plain() || record.is_variant()),
        ),
        ("Limit", record.limit.is_some() && !record.is_variant()),
    ];
    match is_there.into_iter().find(|(_, is_wrong)| *is_wrong) {
        Some((tag, _)) => Err(Fault::NoSuchTag(tag)),
        None => Ok(()),
    }
}

const fn by_player(one: bool, two: bool) -> ByPlayer<bool> {
    ByPlayer { one, two }
}

fn terms(text: &str) -> Result<Variant, String> {
    let spec: VariantSpec = text.parse().map_err(|error| format!("{error}"))?;
    Variant::try_from(spec).map_err(|error| error.to_string())
}

fn block(text: &str) -> Result<Block, String> {
    let read = || {
        let (number, hash) = text.split_once(' ')?;
        let Bytes(hash) = hash.parse().ok()?;
        let number = number.parse().ok()?;
        Some(Block { number, hash })
    };
    read().ok_or_else(|| "expected number and hash of a block, such as 12 0x…".into())
}

fn limit(text: &str) -> Result<u32, String> {
    let seconds = text.strip_suffix(" s").and_then(|text| text.parse().ok());
    seconds.ok_or_else(|| "expected a time for each move, such as 60 s".into())
}

/// Whether it is the name of a fast game, which began on a chain in earlier versions.
fn is_fast(name: &str) -> bool {
    let number = name
        .strip_prefix('f')
        .and_then(|digits| digits.parse::<u32>().ok());
    number.is_some_and(|number| format!("f{number}") == name)
}

fn read_session(text: &str) -> Result<SignedSession, String> {
    let read = || {
        let (until, signature) = text.strip_prefix("until ")?.split_once(' ')?;
        let until = until.parse().ok()?;
        let (kind, signature) = signature.split_once(' ')?;
        let signature = match kind {
            "ethereum" => AccountSignature::Ethereum(Signature(bytes(signature)?)),
            "sr25519" => {
                let (public_key, signature) = signature.split_once(' ')?;
                AccountSignature::Sr25519 {
                    public_key: bytes(public_key)?,
                    signature: bytes(signature)?,
                }
            }
            _ => return None,
        };
        Some(SignedSession { until, signature })
    };
    read().ok_or_else(|| {
        "expected what an account has signed about its key: until SECONDS ethereum 0x…, or until \
         SECONDS sr25519 0x… 0x…"
            .into()
    })
}

/// Bytes as `0x` and two digits for each.
struct Bytes<const N: usize>([u8; N]);

impl<const N: usize> FromStr for Bytes<N> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = bytes(text).map(Self);
        read.ok_or_else(|| format!("expected 0x and {} hexadecimal digits", 2 * N))
    }
}

impl<const N: usize> Display for Bytes<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        crate::write::Hex(&self.0).fmt(f)
    }
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.strip_prefix("0x")?;
    let (pairs, []) = digits.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let mut read = [0; N];
    if pairs.len() != N {
        return None;
    }
    for (byte, pair) in read.iter_mut().zip(pairs) {
        *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(read)
}
