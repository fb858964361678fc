//! What the messages do. They run on a chain alone, and end the call with their answers.
#![cfg(target_arch = "riscv64")]

use codec::{Compact, Decode, Encode};
use connect4_contract::{
    CallData, Chain as OnChain, account, chain_id, emit_parts, emit_with, end_as,
};
use connect4_protocol::signed::{
    Chain, Contradiction, Crypto, Digest, Domain, Ends, Group, RecordedEnd, RecordsError, Refused,
    Terms,
    event::{GameRecorded, WitnessContradicted},
    message::{Contradict, Record},
    wire::Told,
};
use connect4_rules::ByPlayer;

// The linker gives 8,192 bytes, of which the lists and the longest call alone would take most.
polkavm_derive::min_stack_size!(32 * 1024);

/// Bytes of the longest answer, rounded up.
const ANSWER: usize = 64;
/// Bytes of the longest event, rounded up.
const LONGEST: usize = 480;
/// Bytes of the longest game, rounded up.
const GAME: usize = 768;
/// Bytes of the longest message about a contradiction, rounded up: the first block and the terms, and twice a statement
/// of 352 and a list.
const CONTRADICTION: usize = 256 + 2 * (352 + 32 * (Ends::MAX + 1));

/// A message that reads its arguments by itself.
pub trait Reads {
    /// What it answers, but for the reason of a refusal.
    type Answer: Encode;

    /// Does what the message is for.
    fn read() -> Result<Self::Answer, RecordsError>;
}

/// Ends the call with an answer.
#[inline(never)]
pub fn end<T: Encode>(answer: Result<T, RecordsError>) -> Result<T, RecordsError> {
    end_as::<T, RecordsError, ANSWER>(answer)
}

impl Reads for Record {
    type Answer = u32;

    #[inline(never)]
    fn read() -> Result<u32, RecordsError> {
        let mut data = CallData::arguments();
        let mut buffer = [0; GAME];
        let mut unread = data.peek(&mut buffer);
        let group = take::<Group>(&mut unread, 0)?;
        let Compact(count) = take::<Compact<u32>>(&mut unread, 0)?;
        data.skip(GAME.wrapping_sub(unread.len()));
        let chain = chain(group.genesis);
        let mut listed = [Digest::default(); Ends::MAX];
        let mut free = listed.iter_mut();
        for place in 0..count {
            let mut unread = data.peek(&mut buffer);
            let end = take::<RecordedEnd>(&mut unread, place)?;
            data.skip(GAME.wrapping_sub(unread.len()));
            let put = put(&end, &group, chain);
            let hash = put.map_err(|refused| RecordsError::Game { place, refused })?;
            if let Some(hash) = hash {
                *free.next().ok_or(RecordsError::LongList)? = hash;
            }
        }
        let len = Ends::MAX.wrapping_sub(free.len());
        let hashes = listed.get(..len).unwrap_or_default();
        if hashes.is_empty() && group.list.is_none() {
            return Ok(count);
        }
        let digest = Ends { hashes }.digest(&Domain::without_stake(chain), &OnChain);
        let signer = group.list.and_then(|list| OnChain.recover(&digest, &list));
        match signer.is_some() && signer == group.witness && !hashes.is_empty() {
            true => Ok(count),
            false => Err(RecordsError::BadList),
        }
    }
}

#[inline(never)]
fn take<T: Decode>(data: &mut &[u8], place: u32) -> Result<T, RecordsError> {
    T::decode(data).map_err(|_| RecordsError::Unreadable { place })
}

/// Judges a game, and emits it. The hash of its end, if the list of the group has to have it.
#[inline(never)]
fn put(end: &RecordedEnd, group: &Group, chain: Chain) -> Result<Option<Digest>, Refused> {
    let terms = end.terms(group, &OnChain);
    let number = Terms::number_of(&terms, &Domain::without_stake(chain), &OnChain);
    let finished = end.finished(Terms::from_bytes(&terms).ok_or(Refused::OtherForm)?);
    let (outcome, mut hash) = finished.judge_listed(number, chain, &OnChain)?;
    if end.witness.is_some() {
        finished.check_witness(hash.take(), chain, &OnChain)?;
    }
    let accounts = finished.terms.players.map(|party| party.account());
    let ByPlayer { one, two } = &accounts;
    let moves = &finished.moves;
    // A list of up to 63 bytes has its length in one byte, of up to 127 in two.
    let len = u16::from(moves.turns()) << 2;
    let len = match moves.turns() {
        0..64 => &[len as u8][..],
        64.. => &(len | 1).to_le_bytes(),
    };
    let winner = outcome.winner.map(|winner| accounts.get(winner));
    let at = outcome.at.unwrap_or_default().to_le_bytes();
    let parts = [
        &number.0[..],
        &one.0,
        &two.0,
        &group.genesis,
        &terms,
        len,
        moves,
        &[outcome.end as u8, winner.is_some().into()],
        winner.map_or(&[][..], |winner| &winner.0),
        &[outcome.at.is_some().into()],
        outcome.at.map_or(&[][..], |_| &at),
    ];
    let [one, two] = [*one, *two].map(Some).map(account);
    emit_parts::<GameRecorded, LONGEST>(&parts, &[number.0, one, two]);
    Ok(hash)
}

impl Reads for Contradict {
    type Answer = Contradiction;

    #[inline(never)]
    fn read() -> Result<Contradiction, RecordsError> {
        let mut buffer = [0; CONTRADICTION];
        let mut data = CallData::arguments().peek(&mut buffer);
        let genesis = take::<Digest>(&mut data, 0)?;
        let bytes = take::<[u8; Terms::LEN]>(&mut data, 0)?;
        let terms = Terms::from_bytes(&bytes).ok_or(RecordsError::Terms(Refused::OtherForm))?;
        let witness = terms.witness;
        let witness = witness.ok_or(RecordsError::Terms(Refused::NoWitness))?;
        let domain = Domain::without_stake(chain(genesis));
        let game = Terms::number_of(&bytes, &domain, &OnChain);
        let mut said = || {
            let told = take::<Told>(&mut data, 0)?;
            let Compact(count) = take::<Compact<u32>>(&mut data, 0)?;
            let list = data.split_at_checked((count as usize).saturating_mul(32));
            let (list, rest) = list.ok_or(RecordsError::LongList)?;
            data = rest;
            let (list, _) = list.as_chunks();
            match told.is_by_list(witness, game, list, &domain, &OnChain) {
                true => Ok(told),
                false => Err(RecordsError::NotSaid),
            }
        };
        let (one, other) = (said()?, said()?);
        let how = one.contradicts(&other, &terms, game);
        let how = how.ok_or(RecordsError::NoContradiction)?;
        let event = WitnessContradicted {
            game,
            witness,
            genesis,
            how,
        };
        emit_with(event, &[game.0, account(Some(witness))]);
        Ok(how)
    }
}

/// This chain, if its first block is this one.
#[inline(never)]
fn chain(genesis: Digest) -> Chain {
    Chain {
        id: chain_id(),
        genesis,
    }
}
