//! The lobby of a relay that does what it likes, and players who seek a game there.
//!
//! A state has what each player's program holds (a real [`LobbyVisit`] and the list of seeks), and all that was
//! said to the relay. The relay tells each player anything that it has heard or can sign: it withholds, tells
//! again, in another order and under other numbers, and has a guest of its own, who seeks, answers and accepts.
//! The signatures are real ones; a step from the same visit by the same message is computed once.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use codec::{Decode, Encode};
use connect4_protocol::Address;
use connect4_protocol::fast::lobby::{
    Answer, FromLobby, NotPaired, SeekId, Side, SignedSeek, ToLobby, commitment, seeker_is_first,
};
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{Digest, Native, Party, SessionKey, SignedTerms};
use connect4_rules::{ByPlayer, Player, Shape};
use connect4_seat::{FromVisit, Identity, LobbyEvent, LobbyVisit, Wish};
use connect4_testing::fast::session_key;
use connect4_testing::terms::{self, DOMAIN};

use super::check::Violation;
use super::search::Searched;
use super::steps::Steps;

/// The time, which stands.
const NOW: u64 = 1_800_000_000;
/// What the seek of a player is called that is listed first, and what one before it.
const OWN: SeekId = 2;
const BEFORE: SeekId = 1;

/// How often each player does what opens more.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Seeks, also those that a program makes anew by itself.
    pub seeks: u8,
    pub answers: u8,
    pub sockets: u8,
    /// Answers of the relay's guest to one seek; without any there is no guest.
    pub of_guest: u32,
    /// Players who act.
    pub players: usize,
}

/// What a player's program holds.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Client {
    visit: LobbyVisit,
    /// Seeks of others that are listed.
    listed: BTreeMap<SeekId, SignedSeek>,
    /// Whether it wants a game and has none.
    wants: bool,
    seeks: u8,
    answers: u8,
    sockets: u8,
    game: Option<SignedTerms>,
    /// Commitments whose secrets were shown.
    shown: Vec<Digest>,
    /// The nonce of each answer, with the commitment of the seek that was answered.
    asked: Vec<(u32, Digest)>,
}

/// The players, and what the relay has heard.
#[derive(Clone, Debug, Encode, Decode)]
pub struct Lobby {
    clients: [Client; 2],
    seeks: Vec<SignedSeek>,
    answers: Vec<Answer>,
    /// Secrets and signatures by which seekers have accepted.
    accepts: Vec<ToLobby>,
}

/// What came of a step of a player's, and the visit after it, by all that it depends on.
type Known = HashMap<Vec<u8>, (FromVisit, Vec<u8>)>;
/// What the guest signs about something.
type Forged = HashMap<Vec<u8>, Vec<FromLobby>>;

/// What does not change.
pub struct AnyRelay {
    players: [Identity; 2],
    guest: SessionKey,
    wish: Wish,
    bounds: Bounds,
    known: RefCell<Known>,
    forged: RefCell<Forged>,
}

fn secret(player: usize, seek: u8) -> [u8; 32] {
    [16 * (1 + player as u8) + seek; 32]
}

/// The secrets of the relay's guest.
const SECRETS: [[u8; 32]; 2] = [[0xf0; 32], [0xf1; 32]];

fn welcome(player: usize, socket: u8) -> LobbyVisit {
    let welcome = FromLobby::Welcome {
        nonce: [16 * (1 + player as u8) + socket; 32],
        chain_id: DOMAIN.chain_id,
        contract: DOMAIN.contract,
        time: NOW,
    };
    LobbyVisit::begin(&welcome).expect("a welcome")
}

impl AnyRelay {
    /// Two players who seek the standard board, from this side.
    pub fn new(side: Side, bounds: Bounds) -> Self {
        Self {
            players: [1, 2].map(|number| Identity::guest(session_key(number))),
            guest: session_key(3),
            wish: Wish {
                shape: Shape::STANDARD.into(),
                pie_rule: false,
                pool: 0,
                clock: None,
                side,
            },
            bounds,
            known: RefCell::default(),
            forged: RefCell::default(),
        }
    }

    /// Both have just come.
    pub fn first(&self) -> Lobby {
        let client = |player| Client {
            visit: welcome(player, 0),
            listed: BTreeMap::new(),
            wants: true,
            seeks: 0,
            answers: 0,
            sockets: 1,
            game: None,
            shown: Vec::new(),
            asked: Vec::new(),
        };
        Lobby {
            clients: [0, 1].map(client),
            seeks: Vec::new(),
            answers: Vec::new(),
            accepts: Vec::new(),
        }
    }

    /// A step of a player's, which depends on the visit and on `by`.
    fn step(
        &self,
        visit: &mut LobbyVisit,
        by: Vec<u8>,
        does: impl FnOnce(&mut LobbyVisit) -> FromVisit,
    ) -> FromVisit {
        let mut key = by;
        visit.encode_to(&mut key);
        let mut known = self.known.borrow_mut();
        let (done, after) = known.entry(key).or_insert_with(|| {
            let mut visit = visit.clone();
            let done = does(&mut visit);
            (done, visit.encode())
        });
        *visit = LobbyVisit::decode(&mut &after[..]).expect("it was encoded");
        done.clone()
    }

    fn take(&self, player: usize, visit: &mut LobbyVisit, told: FromLobby) -> FromVisit {
        let by = (player as u8, &told).encode();
        self.step(visit, by, |visit| {
            // A refusal that closes the socket ends the visit: that is withheld as well.
            let taken = visit.take(&self.players[player], told, NOW);
            taken.unwrap_or_default()
        })
    }

    fn hear(&self, state: &mut Lobby, player: usize, sent: ToLobby) -> Result<(), Violation> {
        match sent {
            ToLobby::Seek { seek, .. } if !state.seeks.contains(&seek) => state.seeks.push(seek),
            ToLobby::Answer { answer, .. } if !state.answers.contains(&answer) => {
                state.answers.push(answer);
            }
            ToLobby::Accept { secret, .. } => {
                let shown = commitment_of(&secret);
                let client = &mut state.clients[player];
                if self.wish.side == Side::Random && client.shown.contains(&shown) {
                    return Err(
                        "it signs by a secret that is known, so that the other one has \
                                chosen the colours"
                            .into(),
                    );
                }
                client.shown.push(shown);
                if !state.accepts.contains(&sent) {
                    state.accepts.push(sent);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a program of page or terminal does by itself.
    fn act(&self, state: &mut Lobby, player: usize) -> Result<(), Violation> {
        let who = &self.players[player];
        let client = &mut state.clients[player];
        if !client.wants {
            return Ok(());
        }
        let is_idle = !client.visit.is_seeking() && !client.visit.is_asking();
        if is_idle && client.seeks < self.bounds.seeks {
            let secret = secret(player, client.seeks);
            let by = (player as u8, client.seeks).encode();
            client.seeks += 1;
            let sent = self.step(&mut client.visit, by, |visit| FromVisit {
                event: None,
                send: Some(visit.seek(who, &self.wish, None, NOW, secret)),
            });
            return self.hear(state, player, sent.send.expect("it seeks"));
        }
        let suits = |(id, signed): &(&SeekId, &SignedSeek)| {
            let (id, seek) = (**id, &signed.seek);
            client.visit.suits_own(id, seek)
        };
        let found = client.listed.iter().find(suits);
        let Some((id, signed)) = found.map(|(id, signed)| (*id, *signed)) else {
            return Ok(());
        };
        if client.answers >= self.bounds.answers {
            return Ok(());
        }
        let nonce = 100 * (1 + player as u32) + u32::from(client.answers);
        client.answers += 1;
        client.asked.push((nonce, signed.seek.commitment));
        let by = (player as u8, nonce, id, signed).encode();
        let sent = self.step(&mut client.visit, by, |visit| FromVisit {
            event: None,
            send: visit.answer(who, id, &signed, NOW, nonce),
        });
        self.hear(state, player, sent.send.expect("it is free"))
    }

    fn tell(&self, state: &Lobby, player: usize, told: FromLobby) -> Result<Lobby, Violation> {
        let mut next = state.clone();
        let client = &mut next.clients[player];
        let FromVisit { event, send } = self.take(player, &mut client.visit, told);
        match event {
            Some(LobbyEvent::Listed { id, seek, .. }) => {
                client.listed.insert(id, *seek);
            }
            Some(LobbyEvent::Gone(id)) => {
                client.listed.remove(&id);
            }
            Some(LobbyEvent::Cleared) => client.listed.clear(),
            Some(LobbyEvent::Paired(terms)) => self.check(client, player, &terms)?,
            _ => {}
        }
        if let Some(sent) = send {
            self.hear(&mut next, player, sent)?;
        }
        self.act(&mut next, player)?;
        Ok(next)
    }

    /// A player enters a game.
    fn check(
        &self,
        client: &mut Client,
        player: usize,
        signed: &SignedTerms,
    ) -> Result<(), Violation> {
        if !client.wants {
            return Err("it is in two games by one wish".into());
        }
        client.wants = false;
        client.game = Some(*signed);
        let SignedTerms { terms, .. } = signed;
        let own = self.players[player].party();
        if signed.start(Address::ZERO, &DOMAIN, &Native).is_err() {
            return Err("not both have signed the game that it enters".into());
        }
        let Some(seat) = Player::ALL
            .into_iter()
            .find(|seat| *terms.players.get(*seat) == own)
        else {
            return Err("it is in a game of others".into());
        };
        let Wish {
            shape,
            pie_rule,
            pool,
            clock,
            side,
        } = self.wish;
        if (terms.shape, terms.pie_rule, terms.pool, terms.clock) != (shape, pie_rule, pool, clock)
        {
            return Err("it is in a game that it has not sought".into());
        }
        // The coin, by who has answered.
        let answered = client.asked.iter().find(|(nonce, _)| *nonce == terms.nonce);
        let (seeker, commitment) = match answered {
            Some((_, commitment)) => (seat.opponent(), *commitment),
            None => (seat, commitment_of(&secret(player, client.seeks - 1))),
        };
        let secrets = [0, 1].into_iter().flat_map(|player| {
            let of_player = move |seek| secret(player, seek);
            (0..self.bounds.seeks).map(of_player)
        });
        let known = secrets.chain(SECRETS);
        let mut of_seek = known.filter(|secret| commitment == commitment_of(secret));
        let first = match (side, of_seek.next()) {
            (Side::Random, Some(secret)) => match seeker_is_first(&secret, terms.nonce, &Native) {
                true => seeker,
                false => seeker.opponent(),
            },
            (Side::First, _) => seat,
            _ => seat.opponent(),
        };
        if first != Player::One {
            return Err("the colours are not those of the coin".into());
        }
        Ok(())
    }

    /// What the relay's guest can sign for a player.
    fn forged(&self, state: &Lobby, player: usize) -> Vec<FromLobby> {
        if self.bounds.of_guest == 0 {
            return Vec::new();
        }
        let mut forged = self.forged.borrow_mut();
        let mut told = forged
            .entry(Vec::new())
            .or_insert_with(|| {
                let seek = terms::seek(&self.guest, self.wish.side, &SECRETS[0], NOW, [0xee; 32]);
                vec![FromLobby::Listed {
                    id: BEFORE,
                    invited: false,
                    seek,
                }]
            })
            .clone();
        let own = self.players[player].party();
        for seek in state.seeks.iter().filter(|seek| seek.seek.party == own) {
            let answers = forged.entry(seek.encode()).or_insert_with(|| {
                let answers = (900..900 + self.bounds.of_guest).map(|nonce| FromLobby::Answered {
                    id: 9,
                    answer: terms::answer(&self.guest, &seek.seek, NOW, nonce),
                });
                answers.collect()
            });
            told.extend_from_slice(answers);
        }
        for answer in &state.answers {
            // It accepts with either seating and either secret.
            let accepts = forged.entry(answer.encode()).or_insert_with(|| {
                let seatings = [answer.terms, answer.terms.swapped()];
                let signed = seatings
                    .map(|terms| self.guest.sign(&terms.digest(&DOMAIN, &Native)))
                    .into_iter();
                let with_secrets = signed.flat_map(|signature| {
                    SECRETS.map(|secret| FromLobby::Accepted {
                        seek: BEFORE,
                        secret,
                        signature,
                    })
                });
                with_secrets.collect()
            });
            told.extend_from_slice(accepts);
        }
        told
    }

    fn messages(&self, state: &Lobby, player: usize) -> Vec<FromLobby> {
        let own = self.players[player].party();
        let mut told = self.forged(state, player);
        for seek in &state.seeks {
            let id = if seek.seek.party == own { OWN } else { BEFORE };
            told.push(FromLobby::Listed {
                id,
                invited: false,
                seek: *seek,
            });
        }
        for answer in &state.answers {
            told.push(FromLobby::Answered {
                id: 9,
                answer: *answer,
            });
        }
        for accept in &state.accepts {
            let ToLobby::Accept {
                secret, signature, ..
            } = *accept
            else {
                continue;
            };
            told.extend([OWN, BEFORE].map(|seek| FromLobby::Accepted {
                seek,
                secret,
                signature,
            }));
        }
        told.extend([OWN, BEFORE].map(|id| FromLobby::Gone { id }));
        let ends = [
            (OWN, NotPaired::Gone),
            (OWN, NotPaired::Silent),
            (BEFORE, NotPaired::Silent),
        ];
        told.extend(ends.map(|(seek, why)| FromLobby::NotPaired { seek, why }));
        told.push(FromLobby::Refused(Refusal::Busy));
        told
    }
}

impl AnyRelay {
    /// A message as a person reads it.
    fn text(&self, told: &FromLobby) -> String {
        let who = |party: Party| match self.players.iter().position(|own| own.party() == party) {
            Some(0) => "Alice",
            Some(_) => "Bob",
            None => "the guest",
        };
        match told {
            FromLobby::Listed { id, seek, .. } => {
                format!("that {} seeks, as {id}", who(seek.seek.party))
            }
            FromLobby::Answered { answer, .. } => {
                let ByPlayer { one, two } = answer.terms.players.map(who);
                format!("the answer {} by {one} and {two}", answer.terms.nonce)
            }
            FromLobby::Accepted { seek, secret, .. } => {
                format!("that {seek} is accepted, with the secret {:x}", secret[0])
            }
            other => format!("{other:?}"),
        }
    }
}

fn commitment_of(secret: &[u8; 32]) -> Digest {
    commitment(secret, &Native)
}

impl Searched for AnyRelay {
    type State = Lobby;

    fn steps(&self, state: &Lobby, steps: &mut Steps<Lobby>) -> usize {
        for player in 0..self.bounds.players {
            let name = ["Alice", "Bob"][player];
            let client = &state.clients[player];
            if client.seeks == 0 {
                let mut next = state.clone();
                let done = self.act(&mut next, player).map(|()| next);
                steps.push(|| format!("{name} seeks a game"), done);
                continue;
            }
            for told in self.messages(state, player) {
                let next = self.tell(state, player, told);
                steps.push(|| format!("{name} is told {}", self.text(&told)), next);
            }
            if client.wants && client.sockets < self.bounds.sockets {
                let mut next = state.clone();
                let client = &mut next.clients[player];
                client.visit = welcome(player, client.sockets);
                client.sockets += 1;
                client.listed.clear();
                let done = self.act(&mut next, player).map(|()| next);
                steps.push(|| format!("{name} connects again"), done);
            }
        }
        0
    }

    fn is_over(&self, _: &Lobby) -> bool {
        false
    }

    fn check_end(&self, _: &Lobby) -> Result<(), Violation> {
        Ok(())
    }

    fn outlast(
        &self,
        _: &Lobby,
        _: &mut HashSet<u128>,
        _: Option<&mut Vec<String>>,
    ) -> Result<(), Violation> {
        Ok(())
    }
}
