//! `verify`: what the records in files prove.

use connect4_protocol::signed::{Native, PoolName};
use connect4_protocol::{Address, GameId, GameName};
use connect4_record::{Fault, Proof, Record};

use crate::args::{Global, Verify};
use crate::failure::Failure;
use crate::output::Output;
use crate::said::{Looked, Said, Verified};
use crate::session::Session;
use crate::written;

/// Says of each game in files whether it is proven, and by what.
pub async fn verify(global: &Global, args: &Verify, out: &mut Output) -> Result<(), Failure> {
    let looks = args.look || global.url.is_some() || global.data.is_some();
    let mut session = None;
    let (mut games, mut unproven, mut passed_over) = (0_usize, 0_usize, 0_usize);
    for path in &args.files {
        let (found, bad) = match written::read_good(path, out) {
            Ok(read) => read,
            Err(failure) if args.files.len() == 1 => return Err(failure),
            Err(failure @ Failure::Unread) => return Err(failure),
            Err(failure) => {
                out.say(Said::PassedOver {
                    file: path,
                    line: None,
                    why: written::without_name(&failure.to_string(), path),
                })?;
                (Vec::new(), 1)
            }
        };
        passed_over += bad;
        for found in found {
            let record = &found.record;
            let proof = record.prove(&Native);
            let looked = match (looks && record.game.is_some(), &proof) {
                (true, Ok(_)) => {
                    if session.is_none() {
                        session = Some(Session::open(global, false, out).await?);
                    }
                    match &session {
                        Some(session) => look(global, session, record, out).await?,
                        None => None,
                    }
                }
                _ => None,
            };
            let verified = Verified {
                file: path,
                line: found.line,
                record,
                proof,
                looked,
            };
            games += 1;
            unproven += usize::from(!verified.is_proven());
            out.say(Said::Verified(&verified))?;
        }
    }
    match (unproven, games) {
        (0, _) => written::passed_over(passed_over, "game"),
        (1, 1) if passed_over == 0 => Err(Failure::Refused("the game is not proven".into())),
        (unproven, games) => Err(Failure::Refused(format!(
            "{unproven} of {games} games are not proven{}",
            match passed_over {
                0 => String::new(),
                count => format!(", and {count} cannot be read"),
            }
        ))),
    }
}

/// What the chain has of a game; none if this program can't look for it there.
async fn look(
    global: &Global,
    session: &Session,
    record: &Record,
    out: &mut Output,
) -> Result<Option<Looked>, Failure> {
    if record
        .genesis
        .is_some_and(|genesis| genesis != session.client.genesis().0)
    {
        return Ok(Some(Looked::Differs("it is of another chain".into())));
    }
    if record.signed_game.is_some() {
        out.say(Said::Notice(
            "signed games are not looked for on the chain yet",
        ))?;
        return Ok(None);
    }
    match record.game {
        Some(GameName::Chain(id)) => look_for(global, session, record, id, out).await.map(Some),
        Some(GameName::Terms(_)) | None => Ok(None),
    }
}

async fn look_for(
    global: &Global,
    session: &Session,
    record: &Record,
    id: GameId,
    out: &Output,
) -> Result<Looked, Failure> {
    let progress = out.progress();
    progress.say("looking for the game's blocks");
    let found = written::find(global, session, id).await;
    progress.clear();
    Ok(match found? {
        None => Looked::NotThere,
        Some(found) => compare(record, &found),
    })
}

/// A record beside the game that began on the chain.
fn compare(record: &Record, found: &Record) -> Looked {
    if let Some(differs) = difference(record, found) {
        return Looked::Differs(differs);
    }
    if (record.end, record.winner) != (found.end, found.winner) {
        return Looked::Differs(format!("the chain has {}", in_words(found)));
    }
    if record.steps != found.steps {
        return Looked::Differs("the chain has other moves".into());
    }
    there(found)
}

fn there(found: &Record) -> Looked {
    match found.started {
        Some(started) => Looked::There {
            started,
            ended: found.ended,
        },
        None => Looked::NotThere,
    }
}

fn in_words(found: &Record) -> String {
    match found.end {
        Some(end) => format!("{} {end}", found.result()),
        None => "no end of it".into(),
    }
}

/// In what a record differs from what the chain has, besides moves and result. What it does not say makes no
/// difference.
fn difference(record: &Record, found: &Record) -> Option<String> {
    fn differ<T: PartialEq>(own: Option<T>, found: Option<T>) -> bool {
        own.is_some() && own != found
    }
    let parts = [
        (record.players != found.players, "other players"),
        (record.terms != found.terms, "other terms"),
        (
            differ(record.limit, found.limit),
            "another time for each move",
        ),
        (differ(record.time, found.time), "another time"),
        // Without these tags it is the open pool, and nobody is a program.
        (record.pool != found.pool, "another pool"),
        (record.programs != found.programs, "other programs"),
        (differ(record.nonce, found.nonce), "another nonce"),
        (differ(record.chain, found.chain), "another number"),
        (
            differ(record.contract, found.contract),
            "it in another contract",
        ),
        (
            differ(record.started, found.started),
            "it from another block on",
        ),
        (
            differ(record.ended, found.ended),
            "its end in another block",
        ),
    ];
    let (_, part) = parts.into_iter().find(|(differs, _)| *differs)?;
    Some(format!("the chain has {part}"))
}

/// Names of a record's tags, by who vouches for them.
#[derive(Debug, Default)]
pub struct Facts {
    /// Those that the players have signed.
    pub signed: Vec<String>,
    /// Those for which the witness of a signed game vouches.
    pub witnessed: Vec<String>,
    /// Of the others, those that the chain tells, too.
    pub on_chain: Vec<String>,
    /// The rest: anybody can have written them.
    pub unproven: Vec<String>,
}

impl Verified<'_> {
    /// The pool of a signed game; none of other games, which have none.
    pub fn pool(&self) -> Option<PoolName> {
        let is_signed = self.record.signed_game.is_some();
        is_signed.then_some(PoolName(self.record.pool))
    }

    /// For each player of two the key that has signed.
    pub const fn keys(&self) -> [Option<Address>; 2] {
        match &self.proof {
            Ok(Proof::Ended { keys, .. }) => [Some(keys.one), Some(keys.two)],
            Ok(Proof::Nothing) | Err(_) => [None, None],
        }
    }

    /// Key of the witness that has signed how a signed game ended; none if its terms name none, and of other games.
    pub const fn witness(&self) -> Option<Address> {
        match &self.proof {
            Ok(Proof::Ended { witness, .. }) => *witness,
            _ => None,
        }
    }

    /// Whether the chain has the game as the record says.
    pub const fn is_there(&self) -> bool {
        match self.looked {
            Some(Looked::There { .. }) => true,
            Some(Looked::NotThere | Looked::Differs(_)) | None => false,
        }
    }

    /// What the record says, by who vouches for it.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        for fact in self.record.facts() {
            // Nobody compares tags that mean nothing.
            let is_known = !self.record.other.iter().any(|(name, _)| *name == fact);
            let of = match &self.proof {
                Ok(proof) if proof.is_of_witness(&fact) => &mut facts.witnessed,
                Ok(proof) if proof.covers(&fact) => &mut facts.signed,
                _ if self.is_there() && is_known => &mut facts.on_chain,
                _ => &mut facts.unproven,
            };
            of.push(fact);
        }
        facts
    }

    /// Whether the game is proven, as far as was asked for.
    pub const fn is_proven(&self) -> bool {
        match (&self.proof, &self.looked) {
            (Err(_), _) | (Ok(_), Some(Looked::Differs(_))) => false,
            (Ok(Proof::Ended { .. }), _) | (Ok(_), Some(Looked::There { .. })) => true,
            (Ok(_), _) => false,
        }
    }

    /// Why it is not proven; none if it is.
    pub fn why_not(&self) -> Option<String> {
        if self.is_proven() {
            return None;
        }
        Some(match (&self.proof, &self.looked) {
            (Err(fault), _) => Fault::to_string(fault),
            (Ok(_), Some(Looked::Differs(why))) => why.clone(),
            (Ok(_), Some(_)) => "the chain does not have it".into(),
            (Ok(_), None) if self.record.earlier.is_some() => {
                "it has no signature of a kind that is checked".into()
            }
            (Ok(_), None) if self.record.game.is_some() => {
                "only a chain can prove it: look there with --url, or at the local one with --look"
                    .into()
            }
            (Ok(_), None) => "nobody has signed it, and no chain has it".into(),
        })
    }
}
