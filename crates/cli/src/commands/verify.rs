//! `verify`: what the records in files prove.

use connect4_client::Error;
use connect4_protocol::fast::{Moves, Native, Piece, PoolName, Results};
use connect4_protocol::{Address, GameId, GameName};
use connect4_record::{Fault, Proof, Record};
use connect4_rules::Player;
use connect4_rules::variant::Move;

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
                (true, Ok(proof)) => {
                    if session.is_none() {
                        session = Some(Session::open(global, false, out).await?);
                    }
                    match &session {
                        Some(session) => look(global, session, record, proof, out).await?,
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
    proof: &Proof,
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
    if is_fast(record) {
        out.say(Said::Notice(
            "fast games of earlier versions are not looked for on the chain",
        ))?;
        return Ok(None);
    }
    look_for(global, session, record, proof, out)
        .await
        .map(Some)
}

/// Whether it is a game of an earlier version that began on a chain and whose moves are signed.
const fn is_fast(record: &Record) -> bool {
    matches!(record.game, Some(GameName::Chain(GameId::Fast(_))))
}

async fn look_for(
    global: &Global,
    session: &Session,
    record: &Record,
    proof: &Proof,
    out: &Output,
) -> Result<Looked, Failure> {
    match record.game {
        None => Ok(Looked::NotThere),
        Some(GameName::Chain(id)) => {
            let progress = out.progress();
            progress.say("looking for the game's blocks");
            let found = written::find(global, session, id).await;
            progress.clear();
            let Some(found) = found? else {
                return Ok(Looked::NotThere);
            };
            Ok(compare(record, &found))
        }
        Some(GameName::Terms(number)) => {
            let contract = match session.contract(global, None).await {
                Err(Error::NoContract(_)) => return Ok(Looked::NotThere),
                contract => contract?,
            };
            let domain = contract.domain()?;
            if (record.chain, record.contract) != (Some(domain.chain_id), Some(domain.contract)) {
                return Ok(Looked::Differs(format!(
                    "it is signed for another contract than {} on chain {}",
                    domain.contract, domain.chain_id
                )));
            }
            let found = written::of_terms(global, session, &contract, number, 0, out).await?;
            Ok(match found {
                None => Looked::NotThere,
                Some(found) => with_records(record, proof, &found),
            })
        }
    }
}

/// A game by signed terms beside what is recorded of it.
fn with_records(record: &Record, proof: &Proof, found: &Record) -> Looked {
    if let Some(differs) = difference(record, found) {
        return Looked::Differs(differs);
    }
    let result = |record: &Record| (record.end, record.winner);
    let is_signed = matches!(proof, Proof::Signed { .. });
    let mut results = Results::default();
    for piece in [Some(found), is_signed.then_some(record)] {
        if let Some(piece) = piece.and_then(piece_of) {
            results.add(&piece);
        }
    }
    let stands = results.result();
    let stands = (stands.end, stands.winner.map(|player| player as u8));
    if stands != result(record) {
        // By the signatures both would be right, and what is recorded counts.
        let why = match is_signed && stands == result(found) {
            true => ", by a record that outranks this one",
            false => "",
        };
        return Looked::Differs(format!("the chain has {}{why}", in_words(found)));
    }
    // Nobody has signed these moves.
    if !is_signed && record.steps != found.steps {
        return Looked::Differs("the chain has other moves".into());
    }
    match result(found) == stands {
        true => there(found),
        // It says more than what was recorded.
        false => Looked::NotThere,
    }
}

/// What a record says about the result of a game by signed terms.
fn piece_of(record: &Record) -> Option<Piece> {
    let bins: Vec<u8> = record.moves().map(bin).collect();
    Some(Piece {
        moves: Moves::from_bins(&bins)?,
        end: record.end,
        winner: record.winner.map(|seat| match seat {
            0 => Player::One,
            _ => Player::Two,
        }),
    })
}

const fn bin(step: Move) -> u8 {
    match step {
        Move::Drop(bin) => bin.index(),
        _ => Moves::SWAP,
    }
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
        (differ(record.clock, found.clock), "another clock"),
        (
            differ(record.limit, found.limit),
            "another time for each move",
        ),
        (differ(record.stake, found.stake), "another stake"),
        (differ(record.time, found.time), "another time"),
        // Without the tag it is the open pool, and without the other one nobody is a program.
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
    /// The pool of a game by signed terms; none of other games, which have none.
    pub fn pool(&self) -> Option<PoolName> {
        let is_by_terms = matches!(self.record.game, Some(GameName::Terms(_)));
        is_by_terms.then_some(PoolName(self.record.pool))
    }

    /// For each player of two the key that has signed.
    pub const fn keys(&self) -> [Option<Address>; 2] {
        match &self.proof {
            Ok(Proof::Signed { keys, .. } | Proof::Ended { keys, .. }) => {
                [Some(keys.one), Some(keys.two)]
            }
            Ok(Proof::Keys { keys, .. }) => [keys.one, keys.two],
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
            (Ok(Proof::Signed { .. } | Proof::Ended { .. }), _)
            | (Ok(_), Some(Looked::There { .. })) => true,
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
            (Ok(_), None) if is_fast(self.record) => {
                "it began on a chain in an earlier version, and this program does not look there"
                    .into()
            }
            (Ok(_), None) if self.record.game.is_some() => {
                "only a chain can prove it: look there with --url, or at the local one with --look"
                    .into()
            }
            (Ok(_), None) => "nobody has signed it, and no chain has it".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use connect4_protocol::End;
    use connect4_protocol::fast::GameNumber;
    use connect4_record::Step;
    use connect4_rules::variant::Variant;
    use connect4_rules::{Bin, ByPlayer, Shape};

    use super::*;

    fn record(bins: &[u8], end: End, winner: u8) -> Record {
        let moves = bins.iter().map(|bin| Move::Drop(Bin::new(*bin)));
        Record {
            steps: moves.map(Step::Move).collect(),
            end: Some(end),
            winner: Some(winner),
            ..Record::new(Variant::classic(Shape::STANDARD))
        }
    }

    #[test]
    fn what_outranks_a_signed_record_on_the_chain_is_said_to() {
        let early = record(&[3, 3, 2, 2], End::Timeout, 1);
        let line = record(&[3, 3, 2, 2, 1, 1, 0], End::Line, 0);
        let proof = Proof::Signed {
            number: GameNumber::from(0),
            keys: ByPlayer::default(),
        };
        let Looked::Differs(why) = with_records(&early, &proof, &line) else {
            panic!("another end");
        };
        assert_eq!(
            why,
            "the chain has 1-0 by a line, by a record that outranks this one"
        );
        // What nobody has signed is outranked by nothing: it is wrong.
        let Looked::Differs(why) = with_records(&early, &Proof::Nothing, &line) else {
            panic!("another end");
        };
        assert_eq!(why, "the chain has 1-0 by a line");
    }
}
