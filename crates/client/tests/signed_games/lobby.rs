//! How two programs find each other in the lobby of a relay.

use std::time::Duration;

use codec::{DecodeAll as _, Encode as _};
use connect4_client::Signer;
use connect4_client::signed::{
    Around, Carrier, How, Lobby, LobbyNews, Message, PairingError, Search, Seeker, SignedPlayer,
    Sought, Stage, Wary, pair, search,
};
use connect4_protocol::signed::lobby::{self, FromLobby, Letter, NotPaired, ToLobby, WitnessAt};
use connect4_protocol::signed::{Domain, Party, Signature, Terms};
use connect4_protocol::{Address, ClockSpec, End};
use connect4_rules::{Player, Shape};
use connect4_seat::GameOffer;
use connect4_testing::signed::CHAIN;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpListener;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite;

use super::{
    Ground, LONG, Person, Referee, WON, balances, now, play, signers, staked_terms, until,
};

impl Referee {
    fn witness(&self) -> WitnessAt {
        WitnessAt {
            key: self.key,
            chain_id: CHAIN.id,
            genesis: CHAIN.genesis,
        }
    }
}

impl Person {
    fn seeker(&self, referee: &Referee) -> Seeker {
        Seeker {
            games: self.games(),
            relay: referee.url(),
            key: self.key,
            account: None,
            is_program: false,
            stakes: None,
            wary: Wary::default(),
            payment: Seeker::PAYMENT,
        }
    }

    /// One that waits for a payment no longer than for a moment.
    fn seeker_with_stake(&self, referee: &Referee, ground: &Ground, account: Signer) -> Seeker {
        Seeker {
            account: Some(account),
            stakes: Some(ground.stakes.clone()),
            payment: Duration::from_millis(1),
            ..self.seeker(referee)
        }
    }

    /// Looks for an opponent until there is one.
    async fn pair(
        &self,
        referee: &Referee,
        sought: &Sought,
        how: How,
    ) -> Result<SignedPlayer, PairingError> {
        let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
        let seeker = self.seeker(referee);
        let paired = pair(&mut lobby, &seeker, *sought, how);
        timeout(LONG, paired).await.unwrap()
    }
}

const PLAY: How = How::Play(None);

fn sought() -> Sought {
    Sought {
        terms: Terms::on(Shape::CLASSROOM),
        player: None,
        opponent: None,
    }
}

fn sought_with_stake() -> Sought {
    Sought {
        terms: staked_terms(),
        player: Some(Player::One),
        opponent: None,
    }
}

/// The lobby as somebody sees it who only looks, once so many offers are there.
async fn lobby_with(referee: &Referee, offers: usize) -> Lobby {
    let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
    lobby.list();
    while lobby.offers().count() < offers {
        timeout(LONG, lobby.next()).await.unwrap().unwrap();
    }
    lobby
}

/// Plays the game of two who have found each other to its end.
async fn play_to_the_end(players: [SignedPlayer; 2]) -> [SignedPlayer; 2] {
    let mut players = players;
    for player in &mut players {
        until(player, |view| view.shown.stage == Stage::Playing).await;
    }
    let sides = players.each_ref().map(|player| player.view().shown.side);
    assert_eq!(sides[0], sides[1].map(Player::opponent));
    play(&mut players, &WON).await;
    for player in &mut players {
        let view = until(player, |view| view.shown.stage == Stage::Over).await;
        assert_eq!(view.shown.game.unwrap().end(), Some(End::Line));
    }
    players
}

#[tokio::test]
async fn two_who_seek_the_same_at_once_play_each_other() {
    let referee = Referee::new();
    for _ in 0..4 {
        let [one, two] = [Person::new(), Person::new()];
        let sought = sought();
        let (one, two) = tokio::join!(
            one.pair(&referee, &sought, PLAY),
            two.pair(&referee, &sought, PLAY),
        );
        let players = [one.unwrap(), two.unwrap()];
        assert_eq!(
            players[0].view().shown.number,
            players[1].view().shown.number
        );
    }
}

#[tokio::test]
async fn who_comes_later_takes_what_is_offered() {
    let referee = Referee::new();
    let [one, two] = [Person::new(), Person::new()];
    let sought = Sought {
        player: Some(Player::Two),
        ..sought()
    };
    let any = Sought {
        player: None,
        ..sought
    };
    let later = async {
        lobby_with(&referee, 1).await;
        two.pair(&referee, &any, PLAY).await
    };
    let (offering, taking) = tokio::join!(one.pair(&referee, &sought, PLAY), later);
    let players = [offering.unwrap(), taking.unwrap()];
    assert_eq!(players[0].view().shown.side, Some(Player::Two));
    play_to_the_end(players).await;
}

#[tokio::test]
async fn games_that_differ_are_not_one_and_who_leaves_the_colour_to_a_coin_takes_any() {
    let referee = Referee::new();
    let people = [Person::new(), Person::new(), Person::new()];
    let classroom = sought();
    let pie = Sought {
        terms: Terms {
            pie_rule: true,
            ..classroom.terms
        },
        ..classroom
    };
    let first = Sought {
        player: Some(Player::One),
        ..classroom
    };
    let later = async {
        lobby_with(&referee, 2).await;
        people[2].pair(&referee, &first, PLAY).await
    };
    let (one, two) = tokio::select! {
        _ = people[0].pair(&referee, &pie, PLAY) => panic!("nobody else seeks this"),
        both = async {
            tokio::join!(people[1].pair(&referee, &classroom, PLAY), later)
        } => both,
    };
    assert_eq!(two.as_ref().unwrap().view().shown.side, Some(Player::One));
    play_to_the_end([one.unwrap(), two.unwrap()]).await;
}

#[tokio::test]
async fn of_two_who_take_an_offer_one_plays() {
    let referee = Referee::new();
    let [one, two, three] = [Person::new(), Person::new(), Person::new()];
    let sought = sought();
    let takes = async {
        let lobby = lobby_with(&referee, 1).await;
        let (id, _) = lobby.offers().next().unwrap();
        tokio::join!(
            two.pair(&referee, &sought, How::Take(id, None)),
            three.pair(&referee, &sought, How::Take(id, None)),
        )
    };
    let (offering, (two, three)) = tokio::join!(one.pair(&referee, &sought, PLAY), takes);
    let (taking, late) = match two {
        Ok(two) => (two, three),
        Err(late) => (three.unwrap(), Err(late)),
    };
    assert!(matches!(
        late,
        Err(PairingError::NotPaired(NotPaired::Taken | NotPaired::Gone))
    ));
    play_to_the_end([offering.unwrap(), taking]).await;
}

/// The player who offers took the number of the copy for its own, and answered nobody who took its offer.
#[tokio::test]
async fn a_copy_of_an_offer_that_somebody_else_lists_keeps_nobody_from_it() {
    let referee = Referee::new();
    let [one, two] = [Person::new(), Person::new()];
    let sought = sought();
    let takes = async {
        let lobby = lobby_with(&referee, 1).await;
        let (id, offer) = lobby.offers().next().unwrap();
        let mut copies = Lobby::enter(&referee.url()).await.unwrap();
        copies.offer(offer, None).unwrap();
        while copies.own().is_none() {
            timeout(LONG, copies.next()).await.unwrap().unwrap();
        }
        lobby_with(&referee, 2).await;
        two.pair(&referee, &sought, How::Take(id, None)).await
    };
    let (offering, taking) = tokio::join!(one.pair(&referee, &sought, PLAY), takes);
    play_to_the_end([offering.unwrap(), taking.unwrap()]).await;
}

/// The relay showed another offer by the number to which a person had agreed: the same terms, with the colours exchanged.
#[tokio::test]
async fn an_offer_that_is_not_the_one_that_was_agreed_to_is_not_taken() {
    let referee = Referee::new();
    let [one, two] = [Person::new(), Person::new()];
    let moves_first = Sought {
        player: Some(Player::One),
        ..sought()
    };
    let takes = async {
        let lobby = lobby_with(&referee, 1).await;
        let (id, shown) = lobby.offers().next().unwrap();
        let agreed = GameOffer {
            player: Some(Player::Two),
            ..shown.clone()
        };
        let how = How::Take(id, Some(Box::new(agreed)));
        two.pair(&referee, &sought(), how).await
    };
    let taken = tokio::select! {
        _ = one.pair(&referee, &moves_first, PLAY) => panic!("nobody takes it"),
        taken = takes => taken,
    };
    assert!(matches!(taken, Err(PairingError::OtherOffer)), "{taken:?}");
}

#[tokio::test]
async fn a_friend_joins_by_a_link_to_what_nobody_else_sees() {
    let referee = Referee::new();
    let [one, two] = [Person::new(), Person::new()];
    let sought = sought();
    let lobby = Lobby::enter(&referee.url()).await.unwrap();
    let offer = one.seeker(&referee).offer(&lobby, &sought, 600).unwrap();
    let link = format!("https://games.example/{}", offer.fragment());
    let found = Box::new(GameOffer::from_link(&link).unwrap());
    let joins = async {
        // The own link joins nobody.
        let own = one.pair(&referee, &sought, How::Join(found.clone())).await;
        assert!(matches!(own, Err(PairingError::OwnInvite)));
        let mut others = Lobby::enter(&referee.url()).await.unwrap();
        others.list();
        while timeout(LONG, others.next()).await.unwrap().unwrap() != LobbyNews::Complete {}
        assert_eq!(others.offers().count(), 0);
        two.pair(&referee, &sought, How::Join(found.clone())).await
    };
    let invites = one.pair(&referee, &sought, How::Invite(Box::new(offer)));
    let (offering, joining) = tokio::join!(invites, joins);
    play_to_the_end([offering.unwrap(), joining.unwrap()]).await;
}

#[tokio::test]
async fn both_find_a_rematch_whoever_asks_first() {
    let referee = Referee::new();
    let people = [Person::new(), Person::new()];
    let first = sought();
    let (one, two) = tokio::join!(
        people[0].pair(&referee, &first, PLAY),
        people[1].pair(&referee, &first, PLAY),
    );
    let players = play_to_the_end([one.unwrap(), two.unwrap()]).await;
    let number = players[0].view().shown.number.unwrap();
    let mut again = Vec::new();
    for (person, player) in people.iter().zip(&players) {
        let side = player.view().shown.side.unwrap();
        let offer = player.rematch(now() + 60).await.unwrap();
        again.push((person, Sought::from(&offer), How::Rematch(number, side)));
    }
    let [(one, sought_by_one, how_one), (two, sought_by_two, how_two)] = &again[..] else {
        panic!("two have played");
    };
    let (next_one, next_two) = tokio::join!(
        one.pair(&referee, sought_by_one, how_one.clone()),
        two.pair(&referee, sought_by_two, how_two.clone()),
    );
    let next = [next_one.unwrap(), next_two.unwrap()];
    for (before, after) in players.iter().zip(&next) {
        let (before, after) = (before.view().shown, after.view().shown);
        assert_eq!(
            before.side.map(Player::opponent),
            after.side,
            "sides change"
        );
    }
    play_to_the_end(next).await;
}

#[tokio::test]
async fn an_offer_is_not_ended_by_takers_that_write_junk() {
    let referee = Referee::new();
    let [one, two] = [Person::new(), Person::new()];
    let sought = sought();
    let attack = async {
        let mut lobby = lobby_with(&referee, 1).await;
        let (id, _) = lobby.offers().next().unwrap();
        let terms = Terms::on(Shape::CLASSROOM);
        lobby.take(id, &Message::Taken(terms)).unwrap();
        let declined = LobbyNews::NotPaired(id, NotPaired::Declined);
        while timeout(LONG, lobby.next()).await.unwrap().unwrap() != declined {}
        two.pair(&referee, &sought, PLAY).await
    };
    let (offering, taking) = tokio::join!(one.pair(&referee, &sought, PLAY), attack);
    play_to_the_end([offering.unwrap(), taking.unwrap()]).await;
}

/// Takes the first offer of a lobby, which is for a stake, for this account, until that is accepted. Nothing is paid.
async fn take_without_payment(lobby: &mut Lobby, person: &Person, account: Address) {
    loop {
        let Some((id, offer)) = lobby.offers().next() else {
            lobby.next().await.unwrap();
            continue;
        };
        let letter = Message::Taken(offer.complete(&person.taker(account, now())));
        lobby.take(id, &letter).unwrap();
        loop {
            match lobby.next().await.unwrap() {
                LobbyNews::Accepted { .. } => return,
                // What it knows of the list may be old.
                LobbyNews::NotPaired(_, NotPaired::Gone | NotPaired::Taken) => break,
                LobbyNews::Changed | LobbyNews::Complete => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

/// Programs that offered a game for a stake took no offer of others: two that wanted the same waited for each other.
#[tokio::test]
async fn two_who_seek_the_same_for_a_stake_play_each_other() {
    let referee = Referee::new();
    let ground = Ground::new().await;
    let [alice, bob] = signers();
    let either = Sought {
        player: None,
        ..sought_with_stake()
    };
    for (first, is_later) in [
        (either, false),
        (either, true),
        (sought_with_stake(), false),
        (sought_with_stake(), true),
    ] {
        let people = [Person::new(), Person::new()];
        let with_stake = |person: &Person, account: &Signer| Seeker {
            payment: Seeker::PAYMENT,
            ..person.seeker_with_stake(&referee, &ground, account.clone())
        };
        let [one, two] = [with_stake(&people[0], &alice), with_stake(&people[1], &bob)];
        let waits = || How::Play(Some(Duration::from_millis(200)));
        let earlier = async {
            let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
            pair(&mut lobby, &one, first, waits()).await.unwrap()
        };
        let later = async {
            if is_later {
                lobby_with(&referee, 1).await;
            }
            let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
            pair(&mut lobby, &two, either, waits()).await.unwrap()
        };
        let both = timeout(LONG, async { tokio::join!(earlier, later) });
        let (earlier, later) = both.await.unwrap();
        for mut player in [earlier, later] {
            until(&mut player, |view| view.shown.stage == Stage::Playing).await;
        }
    }
}

/// Somebody took an offer with a stake, never paid, and the offer was off the list for good.
#[tokio::test]
async fn an_offer_that_is_taken_and_not_paid_for_is_there_for_others() {
    let referee = Referee::new();
    let ground = Ground::new().await;
    let seekers = [Person::new(), Person::new()];
    let [alice, bob] = signers();
    let with_stake =
        |person: &Person, account| person.seeker_with_stake(&referee, &ground, account);
    let [offers, takes] = [with_stake(&seekers[0], alice), with_stake(&seekers[1], bob)];
    let sought = sought_with_stake();
    let mut own = Lobby::enter(&referee.url()).await.unwrap();
    let offering = async {
        let paired = pair(&mut own, &offers, sought, PLAY).await;
        paired.unwrap()
    };
    let taking = async {
        let mallory = Person::new();
        let mut lobby = lobby_with(&referee, 1).await;
        for stranger in 1..=3 {
            take_without_payment(&mut lobby, &mallory, Address([stranger; 20])).await;
        }
        let looks = lobby_with(&referee, 1).await;
        let (id, offer) = looks.offers().next().unwrap();
        let how = How::Take(id, Some(Box::new(offer.clone())));
        let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
        let paired = pair(&mut lobby, &takes, sought, how).await;
        paired.unwrap()
    };
    let both = timeout(LONG, async { tokio::join!(offering, taking) });
    let (offering, taking) = both.await.unwrap();
    for mut player in [offering, taking] {
        until(&mut player, |view| view.shown.stage == Stage::Playing).await;
    }
    // It is no offer any more.
    let mut others = lobby_with(&referee, 0).await;
    while timeout(LONG, others.next()).await.unwrap().unwrap() != LobbyNews::Complete {}
    assert_eq!(others.offers().count(), 0);
}

/// A relay listed the offer of a player who is away, and said that it had accepted: its takers paid, and had to ask their
/// stakes back.
#[tokio::test]
async fn nothing_is_paid_for_an_offer_that_its_player_has_not_accepted() {
    let referee = Referee::new();
    let ground = Ground::new().await;
    let [alice, bob] = signers();
    let (away, person) = (Person::new(), Person::new());
    let party = Party::new(alice.address(), away.key);
    let offer = GameOffer {
        player: Some(Player::One),
        ..GameOffer::new(ground.stakes.domain(), party, staked_terms(), now() + 600)
    };
    let mut liar = Lobby::enter(&referee.url()).await.unwrap();
    liar.offer(&offer, None).unwrap();
    while liar.own().is_none() {
        timeout(LONG, liar.next()).await.unwrap().unwrap();
    }
    let before = balances(&ground.stakes).await;
    let takes = person.seeker_with_stake(&referee, &ground, bob);
    let unsigned = Message::Accepted(Signature::NONE);
    for answer in [None, Some(Message::Taken(offer.terms)), Some(unsigned)] {
        let looks = lobby_with(&referee, 1).await;
        let (id, listed) = looks.offers().next().unwrap();
        let how = How::Take(id, Some(Box::new(listed.clone())));
        let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
        let taking = pair(&mut lobby, &takes, sought_with_stake(), how);
        let lies = async {
            loop {
                if let LobbyNews::Taken { offer, take, .. } = liar.next().await.unwrap() {
                    liar.accept(offer, take, answer.as_ref(), true).unwrap();
                }
            }
        };
        let taken = tokio::select! {
            taken = timeout(LONG, taking) => taken.unwrap(),
            () = lies => unreachable!(),
        };
        let why = taken.map(|player| player.view().shown);
        let is_declined = matches!(why, Err(PairingError::NotPaired(NotPaired::Declined)));
        assert!(is_declined, "{why:?}");
    }
    assert_eq!(balances(&ground.stakes).await, before);
}

/// The search ended with a game that has no opponent when the relay was lost after somebody had not paid.
#[tokio::test]
async fn a_relay_that_is_lost_when_nobody_is_about_to_pay_ends_the_search() {
    let mut referee = Referee::new();
    let ground = Ground::new().await;
    let [alice, _] = signers();
    let person = Person::new();
    let offers = person.seeker_with_stake(&referee, &ground, alice);
    let mut own = Lobby::enter(&referee.url()).await.unwrap();
    let offering = pair(&mut own, &offers, sought_with_stake(), PLAY);
    let losing = async {
        let mut lobby = lobby_with(&referee, 1).await;
        take_without_payment(&mut lobby, &Person::new(), Address([1; 20])).await;
        lobby_with(&referee, 1).await;
        referee.stop().await;
    };
    let both = timeout(LONG, async { tokio::join!(offering, losing) });
    let (offered, ()) = both.await.unwrap();
    let lost = offered.map(|player| player.view().shown);
    assert!(matches!(lost, Err(PairingError::Lobby(_))), "{lost:?}");
}

/// Somebody offers a game in the name of another player, and can't sign the terms.
#[tokio::test]
async fn an_offer_in_the_name_of_somebody_else_makes_no_game() {
    let referee = Referee::new();
    let [victim, one, two] = [Person::new(), Person::new(), Person::new()];
    let sought = sought();
    let terms = Terms {
        witness: Some(referee.key),
        ..sought.terms
    };
    let party = Party::Guest(victim.key);
    let offer = GameOffer::new(Domain::without_stake(CHAIN), party, terms, now() + 600);
    let mut liar = Lobby::enter(&referee.url()).await.unwrap();
    liar.offer(&offer, None).unwrap();
    while liar.own().is_none() {
        timeout(LONG, liar.next()).await.unwrap().unwrap();
    }
    let lies = async {
        loop {
            let LobbyNews::Taken {
                offer,
                take,
                message,
            } = liar.next().await.unwrap()
            else {
                continue;
            };
            liar.accept(offer, take, message.as_ref(), false).unwrap();
        }
    };
    let both = async {
        tokio::join!(
            one.pair(&referee, &sought, PLAY),
            two.pair(&referee, &sought, PLAY),
        )
    };
    let (one, two) = tokio::select! {
        both = both => both,
        () = lies => unreachable!(),
    };
    let players = [one.unwrap(), two.unwrap()];
    assert_eq!(
        players[0].view().shown.number,
        players[1].view().shown.number
    );
}

/// A relay that passes an offer on to this taker, and never says what has become of it.
async fn silent_relay(listener: TcpListener, witness: WitnessAt, taker: Person) {
    let (socket, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(socket).await.unwrap();
    let time = now() * 1_000;
    let welcome = FromLobby::Welcome {
        time,
        witness: Some(witness),
    };
    let frame = |message: FromLobby| tungstenite::Message::binary(message.encode());
    socket.send(frame(welcome)).await.unwrap();
    while let Some(Ok(message)) = socket.next().await {
        let offer = match lobby::read(&message.into_data()) {
            Some(ToLobby::Offer { offer, .. }) => offer,
            Some(ToLobby::List { .. }) => {
                socket.send(frame(FromLobby::Complete)).await.unwrap();
                continue;
            }
            _ => continue,
        };
        let taken = GameOffer::decode_all(&mut offer.as_bytes()).unwrap();
        let listed = FromLobby::Listed {
            id: 1,
            invited: false,
            offer,
        };
        socket.send(frame(listed)).await.unwrap();
        let (carrier, mut told, _tells) = Carrier::new();
        let around = Around {
            relay: Some("ws://127.0.0.1:1".into()),
            ..taker.around(Some(carrier))
        };
        let who = taker.taker(taker.key, now());
        let player = SignedPlayer::take(around, taken, &who).await.unwrap();
        let letter = Letter::new(told.recv().await.unwrap().encode()).unwrap();
        drop(player);
        let taken = FromLobby::Taken {
            offer: 1,
            id: 2,
            letter,
        };
        socket.send(frame(taken)).await.unwrap();
    }
}

/// A machine that had slept when its offer was taken waited with none.
#[tokio::test]
async fn an_offer_that_the_relay_has_ended_is_made_again() {
    let referee = Referee::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let witness = referee.witness();
    let offered_twice = async {
        let (socket, _) = listener.accept().await.unwrap();
        let mut socket = tokio_tungstenite::accept_async(socket).await.unwrap();
        let frame = |message: FromLobby| tungstenite::Message::binary(message.encode());
        let (time, witness) = (now() * 1_000, Some(witness));
        let welcome = FromLobby::Welcome { time, witness };
        socket.send(frame(welcome)).await.unwrap();
        for id in 1..=2 {
            let offer = loop {
                let message = socket.next().await.unwrap().unwrap();
                match lobby::read(&message.into_data()) {
                    Some(ToLobby::Offer { offer, .. }) => break offer,
                    Some(ToLobby::List { .. }) => {
                        socket.send(frame(FromLobby::Complete)).await.unwrap();
                    }
                    _ => {}
                }
            };
            let invited = false;
            let listed = FromLobby::Listed { id, invited, offer };
            socket.send(frame(listed)).await.unwrap();
            let (offer, why) = (id, NotPaired::Silent);
            let silent = FromLobby::NotPaired { offer, why };
            socket.send(frame(silent)).await.unwrap();
        }
    };
    let one = Person::new();
    let lobby = Lobby::enter(&url);
    let seeker = one.seeker(&referee);
    let offers = async {
        let mut lobby = lobby.await.unwrap();
        pair(&mut lobby, &seeker, sought(), PLAY).await
    };
    tokio::select! {
        _ = offers => panic!("nobody takes it"),
        twice = timeout(LONG, offered_twice) => twice.unwrap(),
    }
}

#[tokio::test]
async fn who_has_agreed_does_not_wait_for_a_relay_that_says_nothing_more() {
    let referee = Referee::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let witness = referee.witness();
    let relay = tokio::spawn(silent_relay(listener, witness, Person::new()));
    let one = Person::new();
    let mut lobby = Lobby::enter(&url).await.unwrap();
    let seeker = one.seeker(&referee);
    let paired = pair(&mut lobby, &seeker, sought(), PLAY);
    let player = timeout(LONG, paired).await.unwrap().unwrap();
    assert_eq!(player.view().shown.stage, Stage::Playing);
    relay.abort();
}

/// The person seeks another game, which nobody else does.
#[tokio::test]
async fn a_person_who_waits_plays_a_program_if_it_agrees_to() {
    let referee = Referee::new();
    let [bot, person] = [Person::new(), Person::new()];
    let of_programs = Sought {
        terms: Terms {
            pie_rule: true,
            pool: 4,
            clock: Some(ClockSpec::USUAL),
            ..Terms::on(Shape::STANDARD)
        },
        ..sought()
    };
    let program = Seeker {
        is_program: true,
        ..bot.seeker(&referee)
    };
    let mut of_bot = Lobby::enter(&referee.url()).await.unwrap();
    let waits = How::Play(Some(Duration::from_millis(1)));
    let playing = pair(&mut of_bot, &program, of_programs, waits);
    let (mut following, searching) = Search::begin();
    let person = person.seeker(&referee);
    let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
    let looks = search(&mut lobby, &person, sought(), PLAY, searching);
    let agrees = async {
        loop {
            let standing = following.changed().await;
            if let (Some(counts), Some(program)) = (standing.counts, standing.program) {
                assert_eq!(counts.playing, 0);
                assert_eq!(program.terms.pool, 4);
                // The program takes no game that is not of its pool, so that both wait until now.
                following.plays(program);
                return std::future::pending::<()>().await;
            }
        }
    };
    let both = async {
        tokio::select! {
            both = async { tokio::join!(playing, looks) } => both,
            () = agrees => unreachable!(),
        }
    };
    let (program, person) = timeout(LONG, both).await.unwrap();
    let [one, two] = [program.unwrap(), person.unwrap()].map(|player| player.view().shown);
    assert_eq!(one.number, two.number);
}

#[tokio::test]
async fn a_program_that_waits_for_others_takes_what_nobody_else_takes_after_a_while() {
    let referee = Referee::new();
    let [program, person] = [Person::new(), Person::new()];
    let sought = sought();
    let waits = How::Play(Some(Duration::from_millis(1)));
    let later = async {
        lobby_with(&referee, 1).await;
        let mut lobby = Lobby::enter(&referee.url()).await.unwrap();
        let offer = person.seeker(&referee).offer(&lobby, &sought, 600).unwrap();
        lobby.offer(&offer, None).unwrap();
        while !matches!(lobby.next().await.unwrap(), LobbyNews::Taken { .. }) {}
    };
    let taken = async {
        tokio::select! {
            _ = program.pair(&referee, &sought, waits) => panic!("nobody answers"),
            () = later => {}
        }
    };
    timeout(LONG, taken).await.unwrap();
}
