//! Games with a stake as they are stored, and what is paid for them.
use connect4_protocol::signed::{
    Chain, Domain, Evidence, Kind, Moves, Native, Party, Refused, SessionKey, Signature, SignedEnd,
    StakedGame, StakesError, Statement, Terms,
};
use connect4_protocol::{Address, ClockSpec, Error, payout};
use connect4_rules::{Bin, ByPlayer, Player, Shape};

const NOW: u64 = 1_700_000_000;
const CLOCK: ClockSpec = ClockSpec {
    bank: 300,
    increment: 7,
};

fn account(player: Player) -> Address {
    Address([player as u8 + 1; 20])
}

fn key(player: Player) -> SessionKey {
    SessionKey::from_secret(&[player as u8 + 0x11; 32]).expect("a key")
}

fn terms() -> Terms {
    Terms {
        players: ByPlayer::from_fn(|player| Party::new(account(player), key(player).address())),
        clock: Some(CLOCK),
        stake: 1_000,
        time: NOW,
        ..Terms::on(Shape::STANDARD)
    }
}

fn domain() -> Domain {
    Domain {
        chain: Chain {
            id: 5,
            genesis: [9; 32],
        },
        stakes: Some(Address([7; 20])),
    }
}

fn begun() -> StakedGame {
    let (game, _) = StakedGame::fund(None, &terms(), account(Player::One), NOW).expect("pays");
    let (game, by) =
        StakedGame::fund(Some(game), &terms(), account(Player::Two), NOW).expect("pays");
    assert_eq!((by, game.paid_by), (Player::Two, None));
    game
}

fn signed(bins: &[u8], end: Option<SignedEnd>) -> Evidence {
    let number = terms().number(&domain(), &Native);
    let mut evidence = Evidence {
        end,
        signatures: ByPlayer::default(),
        moves: Moves::from_bins(bins).expect("few"),
    };
    let unsigned = evidence;
    for player in Player::ALL {
        if let Some(statement) = unsigned.statement_of(player, number) {
            let digest = statement.digest(&domain(), &Native);
            evidence.signatures[player] = key(player).sign(&digest);
        }
    }
    evidence
}

fn advance(game: &mut StakedGame, evidence: &Evidence, now: u64) -> Result<bool, StakesError> {
    let number = terms().number(&domain(), &Native);
    game.advance(number, evidence, &domain(), &Native, now)
}

#[test]
fn a_game_is_read_as_it_was_stored() {
    let (paid, _) = StakedGame::fund(None, &terms(), account(Player::Two), NOW).expect("pays");
    let started = begun();
    let mut moved = started;
    moved
        .drop(
            account(Player::One),
            started.game.game.board(),
            Bin::new(3),
            NOW,
        )
        .expect("legal");
    let mut won = started;
    let line = [3, 4, 3, 4, 3, 4, 3];
    advance(&mut won, &signed(&line, None), NOW).expect("signed");
    assert!(won.game.contest.is_some());
    let mut fair = moved;
    fair.game.pie_rule = true;
    for game in [paid, started, moved, won, fair] {
        let bytes = game.to_bytes();
        assert_eq!(StakedGame::from_bytes(&bytes), Some(game));
    }
    let first = paid.to_bytes();
    let (other, _) = StakedGame::fund(None, &terms(), account(Player::One), NOW).expect("pays");
    assert_ne!(first, other.to_bytes());
}

#[test]
fn what_is_owed_pays_for_what_the_payment_does_not() {
    let game = begun();
    for (owed, paid, left) in [
        (0, 1_000, Ok(0)),
        (7, 1_000, Ok(7)),
        (7, 1_001, Ok(8)),
        (1_000, 0, Ok(0)),
        (999, 0, Err(StakesError::StakeUnpaid)),
        (600, 399, Err(StakesError::StakeUnpaid)),
        (600, 400, Ok(0)),
        (u128::MAX, 1_000, Ok(u128::MAX)),
        (u128::MAX, 999, Ok(u128::MAX - 1)),
        (u128::MAX, 1_001, Err(Error::StakeTooLarge.into())),
    ] {
        assert_eq!(game.owed_after(owed, paid), left, "{owed} and {paid}");
    }
}

#[test]
fn terms_are_paid_for_in_their_time() {
    let fund = |now| StakedGame::fund(None, &terms(), account(Player::One), now).map(|_| ());
    let refused = Err(StakesError::Common(Error::TermsExpired));
    assert_eq!(fund(NOW - 601), refused);
    assert_eq!(fund(NOW - 600), Ok(()));
    assert_eq!(fund(NOW + 86_400), Ok(()));
    assert_eq!(fund(NOW + 86_401), refused);
}

#[test]
fn a_game_is_freed_when_nobody_can_pay_for_it_again() {
    let mut game = begun();
    let payer = account(Player::One);
    game.resign(account(Player::Two)).expect("it goes on");
    let stands = Err(StakesError::Common(Error::TermsStand));
    assert_eq!(game.free(payer, NOW + 86_400), stands);
    assert_eq!(game.free(payer, NOW + 86_401), Ok(()));
}

#[test]
fn a_draw_has_a_last_second() {
    let draw = |until| signed(&[3, 4, 3], Some(SignedEnd::Draw { until }));
    let late = Err(StakesError::Common(Error::NoOffer));
    assert_eq!(advance(&mut begun(), &draw(NOW), NOW + 1), late);
    assert_eq!(advance(&mut begun(), &draw(u64::MAX), NOW), late);
    let mut game = begun();
    assert_eq!(advance(&mut game, &draw(NOW), NOW), Ok(true));
    assert_eq!(
        game.shares(),
        Some(ByPlayer {
            one: 1_000,
            two: 1_000
        })
    );
    // On the moves that the chain has, and not on fewer.
    let mut game = begun();
    advance(&mut game, &signed(&[3, 4, 3, 4], None), NOW).expect("news");
    let older = advance(&mut game, &draw(NOW), NOW);
    assert_eq!(older, Err(Error::NotNewer.into()));
}

/// What is signed of a game with a stake is what is signed of one without, but for the domain.
#[test]
fn who_signs_what() {
    let number = terms().number(&domain(), &Native);
    let bins = [3, 4, 3];
    let kinds = |end| {
        let evidence = signed(&bins, end);
        Player::ALL.map(|player| {
            let Statement { kind, moves, .. } =
                evidence.statement_of(player, number).expect("it signs");
            (kind, moves.len())
        })
    };
    let position = |moves| (Kind::Position, moves);
    assert_eq!(kinds(None), [position(3), position(2)]);
    let resigned = |by| kinds(Some(SignedEnd::Resignation(by)));
    let resignation = (Kind::Resignation, 3);
    assert_eq!(resigned(Player::One), [resignation, position(2)]);
    assert_eq!(resigned(Player::Two), [position(3), resignation]);
    let until = 77;
    let draw = (Kind::Draw { until }, 3);
    assert_eq!(kinds(Some(SignedEnd::Draw { until })), [draw, draw]);
    let first = signed(&[3], None);
    assert_eq!(first.statement_of(Player::Two, number), None);
    assert_eq!(first.signatures.two, Signature::NONE);
}

#[test]
fn the_other_reasons_have_texts_of_their_own() {
    let errors = [
        StakesError::NoStake,
        StakesError::Begun,
        StakesError::AlreadyPaid,
        StakesError::NotBegun,
        StakesError::StakeUnpaid,
        StakesError::Terms(Refused::ShortClock),
        StakesError::Common(Error::NotNewer),
    ];
    let texts: std::collections::BTreeSet<_> = errors.map(|error| error.to_string()).into();
    assert_eq!(texts.len(), errors.len());
    assert!(texts.contains(&Error::NotNewer.to_string()));
}

#[test]
fn an_odd_unit_of_a_pot_is_player_twos() {
    let shares = |pot, winner| {
        let ByPlayer { one, two } = payout(pot, winner);
        (one, two)
    };
    assert_eq!(shares(7, None), (3, 4));
    assert_eq!(shares(8, None), (4, 4));
    assert_eq!(shares(u128::MAX, None), (u128::MAX / 2, 1 << 127));
    assert_eq!(shares(7, Some(Player::One)), (7, 0));
    assert_eq!(shares(7, Some(Player::Two)), (0, 7));
}
