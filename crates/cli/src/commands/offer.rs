//! `seek --offer` and `seek --take`: a signed game whose offer and answer are lines of text, which any messenger carries.

use connect4_client::signed::{
    Around, Carrier, GameName, GameOffer, GameOfferError, SignedError, SignedGames, SignedPlayer,
    Stage, Taker, View, as_text, of_text, witness_at,
};
use connect4_protocol::Address;
use connect4_protocol::signed::{Domain, Party, SignedSession, Terms};
use connect4_rules::Player;
use connect4_wire::words::now;

use super::guest::{Identified, failed};
use crate::args::Turn;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::play::signed::witnessed_terms;
use crate::play::table::{self, Table};
use crate::play::turn::Typed;
use crate::said::Said;
use crate::words::who;

/// For how long an offer stands, in seconds.
const STANDS: u64 = 10 * 60;
/// For how long an account names a session key, in seconds.
const DAY: u64 = 86_400;

/// What is offered.
pub struct Offered {
    /// The board, the rule, the clock and the pool.
    pub terms: Terms,
    pub witness: Address,
    pub turn: Turn,
}

/// An offer that is taken.
pub struct Taken {
    offer: GameOffer,
    witness: Address,
    pub relay: String,
}

impl Taken {
    /// The offer of a line of text.
    pub fn read(line: &str) -> Result<Self, Failure> {
        let usage = |text: &str| Failure::Usage(text.into());
        let read = line
            .parse()
            .map_err(|error: GameOfferError| error.to_string());
        let offer: GameOffer = read.map_err(|error| usage(&error))?;
        if offer.terms.stake > 0 {
            return Err(usage("no games with a stake are played here yet"));
        }
        let (Some(relay), Some(witness)) = (offer.relay.clone(), offer.terms.witness) else {
            return Err(usage("the offer names no relay that is a witness"));
        };
        Ok(Self {
            offer,
            witness,
            relay,
        })
    }
}

/// A player at this terminal, and where the rooms are.
pub struct Seated {
    pub who: Identified,
    pub relay: String,
    /// The command that resumes a game.
    pub resumed_by: String,
}

impl Seated {
    /// Offers a game, and plays with whose answer is typed.
    pub async fn offer(
        self,
        offered: &Offered,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let witness = offered.witness;
        let (chain, time) = witness_at(&self.relay, witness).await.map_err(|error| {
            Failure::Other(format!(
                "the witness {witness} at {} does not answer: {error}",
                self.relay
            ))
        })?;
        let domain = Domain::without_stake(chain);
        let (party, session) = self.party(time, &domain);
        let moves_first = match offered.turn {
            Turn::First => true,
            Turn::Second => false,
            Turn::Random => rand::random(),
        };
        let terms = Terms {
            witness: Some(witness),
            nonce: rand::random(),
            ..offered.terms
        };
        let offer = GameOffer {
            player: Some(if moves_first {
                Player::One
            } else {
                Player::Two
            }),
            session,
            relay: Some(self.relay.clone()),
            ..GameOffer::new(domain, party, terms, time.saturating_add(STANDS))
        };
        out.say(Said::Notice(&format!("you are {}", who(party.account()))))?;
        let text = format!("send your opponent this line, which stands for 10 minutes:\n{offer}");
        let player = SignedPlayer::offer(self.around(None), offer)
            .await
            .map_err(refused)?;
        out.say(Said::Notice(&text))?;
        let mut typed = Typed::begin();
        let question = "type the line that your opponent answers with: ";
        out.question(question)?;
        let mut follow = player.follow();
        loop {
            if is_playing(&player.view()) {
                break;
            }
            tokio::select! {
                line = typed.next() => {
                    let Some(line) = line? else {
                        return Err(Failure::unfinished());
                    };
                    out.answered(question, &line)?;
                    let told = match of_text(&line) {
                        Some(message) => player.tell(message).await.map_err(|error| error.to_string()),
                        None => Err("this is no answer: copy all of the line".into()),
                    };
                    if let Err(reason) = told {
                        out.say(Said::Notice(&reason))?;
                        out.question(question)?;
                    }
                }
                _ = follow.changed() => {}
            }
            if is_over(&player.view()) {
                return Err(Failure::Refused(
                    "nobody has taken the offer in time".into(),
                ));
            }
        }
        let terms = terms_of(&player, &self)?;
        play(self, player, terms, &mut typed, out, farewell).await
    }

    /// Takes an offer, and plays.
    pub async fn take(
        self,
        Taken { offer, witness, .. }: Taken,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let relay = &self.relay;
        let (chain, time) = witness_at(relay, witness).await.map_err(|error| {
            Failure::Other(format!(
                "the witness {witness} at {relay} does not answer: {error}"
            ))
        })?;
        if chain != offer.domain.chain {
            return Err(Failure::Refused(format!(
                "the offer is for another chain than {relay}"
            )));
        }
        let (party, session) = self.party(time, &offer.domain);
        let taker = Taker {
            party,
            session,
            player: Player::Two,
            is_program: self.who.is_program,
            time,
            nonce: rand::random(),
        };
        let (carrier, mut told, _tells) = Carrier::new();
        let opponent = who(offer.party().account());
        let game = terms_in_words(&offer, &opponent);
        out.say(Said::Notice(&format!("you are {}", who(party.account()))))?;
        out.say(Said::Notice(&game))?;
        let mut player = SignedPlayer::take(self.around(Some(carrier)), offer, &taker)
            .await
            .map_err(refused)?;
        if let Some(message) = told.recv().await {
            let text = as_text(&message);
            let text = format!("send your opponent this line within two minutes:\n{text}");
            out.say(Said::Notice(&text))?;
        }
        out.progress()
            .say("waiting for your opponent; Ctrl-C leaves");
        let begun = player.until(|view| is_playing(view) || is_late(view));
        let begun = out.wait_for(begun).await?.map_err(refused)?;
        out.progress().clear();
        if !is_playing(&begun) {
            return Err(Failure::Refused(
                "your opponent has not agreed to the game in time".into(),
            ));
        }
        let terms = terms_of(&player, &self)?;
        let mut typed = Typed::begin();
        play(self, player, terms, &mut typed, out, farewell).await
    }

    /// The game that was begun last by these keys and goes on; none if there is none.
    pub fn latest(&self) -> Result<Option<GameName>, Failure> {
        let games = self.games();
        let mut latest = None;
        for name in games.names().map_err(failed)? {
            if name.key() == self.who.key.key().address() {
                let kept = games.peek(name).map_err(failed)?;
                if kept.record.terms.is_some() && kept.is_open(now()) {
                    latest = latest.max(Some((kept.time(), name)));
                }
            }
        }
        Ok(latest.map(|(_, name)| name))
    }

    /// Resumes a game.
    pub async fn resume(
        self,
        name: GameName,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let player = SignedPlayer::resume(self.around(None), name).map_err(refused)?;
        let terms = terms_of(&player, &self)?;
        let mut typed = Typed::begin();
        play(self, player, terms, &mut typed, out, farewell).await
    }

    fn games(&self) -> SignedGames {
        SignedGames::beside(&self.who.keyring)
    }

    fn around(&self, carrier: Option<Carrier>) -> Around {
        Around {
            games: self.games(),
            stakes: None,
            relay: Some(self.relay.clone()),
            carrier,
            ahead: 0,
        }
    }

    /// Who plays, and what the account has signed about the key.
    fn party(&self, time: u64, domain: &Domain) -> (Party, Option<SignedSession>) {
        let key = self.who.key.key().address();
        let session = self
            .who
            .account
            .as_ref()
            .map(|account| account.sign_session_of(key, time.saturating_add(DAY), domain));
        (Party::new(self.who.address(), key), session)
    }
}

/// What an offer is for, in words.
fn terms_in_words(offer: &GameOffer, opponent: &str) -> String {
    let turn = match offer.player {
        Some(Player::One) => ", you move second,",
        Some(Player::Two) => ", you move first,",
        None => "",
    };
    let (board, more) = (offer.terms.shape, witnessed_terms(&offer.terms));
    format!("a game on {board}{turn} against {opponent}{more}")
}

async fn play(
    seated: Seated,
    player: SignedPlayer,
    terms: Terms,
    typed: &mut Typed,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let begun = Table::of(player, terms, seated.relay, seated.resumed_by);
    let table = begun.ok_or_else(|| Failure::Refused("the game has not begun".into()))?;
    table::play(table, typed, out, farewell).await
}

fn is_playing(view: &View) -> bool {
    matches!(
        view.shown.stage,
        Stage::Playing | Stage::Ending | Stage::Over
    )
}

/// Whether nobody can take the offer any more.
fn is_over(view: &View) -> bool {
    view.shown.stage == Stage::Offered && view.shown.awaited.is_none()
}

/// Whether the opponent can't agree any more.
fn is_late(view: &View) -> bool {
    view.shown.stage == Stage::NoGame
}

fn terms_of(player: &SignedPlayer, seated: &Seated) -> Result<Terms, Failure> {
    let kept = seated.games().peek(player.name()).map_err(failed)?;
    let terms = kept.record.terms;
    terms.ok_or_else(|| Failure::Refused("the game has not begun".into()))
}

fn refused(error: SignedError) -> Failure {
    Failure::Refused(error.to_string())
}
