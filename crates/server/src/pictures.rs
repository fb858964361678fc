//! Pictures of games, which are drawn once for all who ask.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use connect4_picture::{Board, Theme, gif, png};
use connect4_protocol::GameName;
use connect4_relay::{Queue, Visitor};
use sp_crypto_hashing::blake2_128;
use tokio::sync::Semaphore;

use crate::host::{Gate, Limit};
use crate::portrait::Portrait;
use crate::refusal::Refusal;

/// Bytes of pictures that are kept, at most.
const MOST_BYTES: usize = 16 << 20;
/// Games that are kept, at most. One takes less than 4 kB.
const MOST_GAMES: usize = 2048;
/// Pictures that are drawn at the same time.
const DRAWN: usize = 2;
/// Pictures that are drawn or wait for it, at most.
const WAITING: usize = 64;
/// A game that goes on is looked at again after this time, one that has ended after that one: its end may have
/// been in a block that was replaced.
const FRESH: Duration = Duration::from_secs(1);
const FRESH_AT_END: Duration = Duration::from_secs(30);
/// A game that goes on and that nobody watches is followed for so long after somebody has asked for its picture:
/// an embedded board is asked for again and again.
const FOLLOWED: Duration = Duration::from_secs(30);
/// Games that are followed for that, at most.
const MOST_FOLLOWED: usize = 64;
/// Time in which the chain has to tell of a game.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    Game(GameName),
    /// A line of moves on no chain, by a hash of it.
    Line([u8; 16]),
}

/// What a picture is of, and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    pub of: Subject,
    /// After so many moves; none: now.
    pub moves: Option<usize>,
    pub format: Format,
    /// None: the one that the reader prefers, in formats that know it, and light in others.
    pub theme: Option<Theme>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Svg,
    Png,
    Gif,
}

impl Format {
    /// How many dear requests cost as much: one takes some five milliseconds of a processor.
    const fn cost(self) -> u32 {
        match self {
            Self::Svg => 1,
            Self::Png => 4,
            Self::Gif => 8,
        }
    }
}

#[derive(Clone)]
pub struct Picture {
    pub bytes: Bytes,
    /// What tells it from others, as HTTP's `ETag` has it.
    pub tag: String,
}

/// What was read and drawn lately.
pub struct Pictures {
    games: Mutex<Kept<GameName, (Instant, Arc<Portrait>)>>,
    drawn: Mutex<Kept<Wanted, (Arc<Portrait>, Picture)>>,
    places: Semaphore,
    waiting: Queue,
    followed: Arc<Semaphore>,
}

impl Default for Pictures {
    fn default() -> Self {
        Self {
            games: Mutex::new(Kept::new(MOST_GAMES)),
            drawn: Mutex::new(Kept::new(MOST_BYTES)),
            places: Semaphore::new(DRAWN),
            waiting: Queue::new(WAITING),
            followed: Arc::new(Semaphore::new(MOST_FOLLOWED)),
        }
    }
}

impl Pictures {
    /// A game as it was a moment ago, or else as it is read now.
    pub async fn portrait(
        &self,
        game: GameName,
        read: impl Future<Output = Result<Portrait, Refusal>>,
    ) -> Result<Arc<Portrait>, Refusal> {
        let known = self
            .games
            .lock()
            .ok()
            .and_then(|mut games| games.get(&game));
        if let Some((at, portrait)) = known {
            let fresh = match portrait.over {
                true => FRESH_AT_END,
                false => FRESH,
            };
            if at.elapsed() < fresh {
                return Ok(portrait);
            }
        }
        let read = tokio::time::timeout(PATIENCE, read).await;
        let read = read.map_err(|_| Refusal::lost())??;
        let portrait = Arc::new(read);
        if let Ok(mut games) = self.games.lock() {
            games.put(game, (Instant::now(), Arc::clone(&portrait)), 1);
        }
        Ok(portrait)
    }

    /// Holds a game that goes on and that nobody else watches, so that it is followed for a while.
    pub fn follow(&self, seen: impl Send + 'static) {
        if let Ok(place) = Arc::clone(&self.followed).try_acquire_owned() {
            tokio::spawn(async move {
                tokio::time::sleep(FOLLOWED).await;
                drop((seen, place));
            });
        }
    }

    /// A picture of a game. One that has to be drawn counts for who asks.
    pub async fn picture(
        &self,
        gate: Option<&Gate>,
        portrait: Arc<Portrait>,
        wanted: Wanted,
        from: Visitor,
    ) -> Result<Picture, Refusal> {
        if let Some(picture) = self.drawn(&portrait, &wanted) {
            return Ok(picture);
        }
        let busy = || match gate {
            Some(gate) => gate.refuse(Limit::AllDear),
            None => Refusal::busy("too many pictures are drawn: try again later"),
        };
        if let Some(gate) = gate {
            gate.spend(from, wanted.format.cost())?;
        }
        let _waits = self.waiting.enter(from).ok_or_else(busy)?;
        // It is never closed.
        let _place = self.places.acquire().await.map_err(|_| busy())?;
        // Somebody else may have asked for the same.
        if let Some(picture) = self.drawn(&portrait, &wanted) {
            return Ok(picture);
        }
        let drawn_of = Arc::clone(&portrait);
        let bytes = tokio::task::spawn_blocking(move || draw(&drawn_of, wanted));
        let bytes = bytes.await.ok().flatten();
        let bytes = bytes.ok_or_else(Refusal::no_moves)?;
        let picture = Picture {
            tag: format!("\"{}\"", hex::encode(blake2_128(&bytes))),
            bytes: bytes.into(),
        };
        if let Ok(mut drawn) = self.drawn.lock() {
            let size = picture.bytes.len();
            drawn.put(wanted, (portrait, picture.clone()), size);
        }
        Ok(picture)
    }

    /// A picture that was drawn of the game as it is.
    fn drawn(&self, portrait: &Arc<Portrait>, wanted: &Wanted) -> Option<Picture> {
        let (of, picture) = self.drawn.lock().ok()?.get(wanted)?;
        (Arc::ptr_eq(&of, portrait) || of == *portrait).then_some(picture)
    }
}

/// Draws a picture; none if its moves are not known, or if there were not so many.
fn draw(portrait: &Portrait, wanted: Wanted) -> Option<Vec<u8>> {
    let board: Board = match wanted.moves {
        Some(moves) => portrait.board_after(moves)?,
        None => portrait.board.clone(),
    };
    let theme = wanted.theme.unwrap_or_default();
    match wanted.format {
        Format::Svg => Some(portrait.svg(&board, wanted.theme).into_bytes()),
        Format::Png => Some(png(&board, theme)),
        Format::Gif => gif(&portrait.boards()?, theme),
    }
}

/// What was used lately, up to a size.
struct Kept<K, V> {
    most: usize,
    size: usize,
    /// Counts uses.
    now: u64,
    /// Values with their sizes and their last use.
    values: HashMap<K, (V, usize, u64)>,
}

impl<K: Copy + Eq + Hash, V: Clone> Kept<K, V> {
    fn new(most: usize) -> Self {
        Self {
            most,
            size: 0,
            now: 0,
            values: HashMap::new(),
        }
    }

    fn get(&mut self, key: &K) -> Option<V> {
        self.now += 1;
        let (value, _, used) = self.values.get_mut(key)?;
        *used = self.now;
        Some(value.clone())
    }

    /// Keeps a value, and drops those that were used least lately.
    fn put(&mut self, key: K, value: V, size: usize) {
        self.now += 1;
        let before = self.values.insert(key, (value, size, self.now));
        self.size += size;
        self.size -= before.map_or(0, |(_, size, _)| size);
        while self.size > self.most {
            let oldest = self.values.iter().min_by_key(|(_, (_, _, used))| *used);
            let Some(oldest) = oldest.map(|(key, _)| *key) else {
                return;
            };
            let dropped = self.values.remove(&oldest);
            self.size -= dropped.map_or(0, |(_, size, _)| size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_least_lately_goes_first() {
        let mut kept = Kept::new(10);
        for key in 0..3 {
            kept.put(key, key, 3);
        }
        assert_eq!(kept.get(&0), Some(0));
        kept.put(3, 3, 4);
        assert_eq!(
            [0, 1, 2, 3].map(|key| kept.get(&key)),
            [Some(0), None, Some(2), Some(3)]
        );
        kept.put(0, 5, 1);
        assert_eq!((kept.size, kept.get(&0)), (8, Some(5)));
        // What is too large by itself is not kept.
        kept.put(9, 9, 11);
        assert_eq!((kept.size, kept.values.len()), (0, 0));
    }
}
