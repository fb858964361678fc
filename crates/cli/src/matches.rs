//! What goes beside the moves of a game: challenges, stakes, offers, ends, rematches, standings.

use connect4_client::{Address, Contract, Event, Offer, Receipt, Signer, standings};
use connect4_protocol::event::{ChallengeWithdrawn, MatchStarted};
use connect4_protocol::{Challenge, ClockSpec, Game, Match};
use connect4_rules::Player;
use serde_json::json;

use crate::Farewell;
use crate::accounts;
use crate::args::{self, Answer, First, Global, Seat};
use crate::failure::Failure;
use crate::games;
use crate::output::{self, Progress, line};
use crate::play;
use crate::session::Session;

/// Makes a challenge.
pub async fn challenge(
    global: &Global,
    args: &args::Challenge,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let shape = games::shape(&args.board)?;
    let signer = accounts::signer_or_alice(&args.signing)?;
    let clock = args.bank.map(|bank| ClockSpec {
        bank,
        increment: args.increment,
    });
    let opponent = args.opponent.as_ref().map(connect4_client::Named::address);
    let session = Session::open(global, false).await?;
    let stake = session
        .client
        .token()
        .parse(&args.stake)
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let challenger_first = match args.first {
        First::Me => true,
        First::Them => false,
        First::Random => rand::random(),
    };
    let offer = Offer {
        opponent,
        challenger_first,
        shape,
        clock,
        stake,
    };
    let progress = Progress::new(global.json);
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    // From before, so that nothing is missed.
    let mut watch = match args.play {
        true => Some(contract.watch().await?),
        false => None,
    };
    progress.say("making the challenge");
    let receipt = contract.challenge(&signer, offer).await?;
    progress.clear();
    let number = receipt.value;
    let made = contract.open_challenge(number).await?;
    if global.json {
        line(json!({
            "event": "challenge",
            "challenge": number,
            "contract": contract.address().to_string(),
            "terms": made.as_ref().map(|made| json_challenge(&contract, number, made)),
            "transaction": output::json_transaction(&receipt),
        }))?;
    } else {
        if let Some(deployment) = &deployment {
            games::deployed(deployment, &session)?;
        }
        done(&session, &receipt, &format!("made challenge {number}"))?;
        if let Some(made) = &made {
            line(format!("  {}", terms(&contract, made)))?;
        }
        line(format!(
            "who accepts it plays by\n  connect4 accept --challenge {number} --play{}",
            games::reach(&session, &contract)
        ))?;
    }
    let Some(watch) = &mut watch else {
        return Ok(());
    };
    farewell.set(format!(
        "challenge {number} stays open; take it back by\n  connect4 cancel --challenge {number}{}",
        games::reach(&session, &contract)
    ));
    progress.say("waiting until somebody accepts; Ctrl-C leaves");
    let game = loop {
        match watch.next().await?.event {
            Event::MatchStarted(MatchStarted {
                game,
                challenge: Some(accepted),
                ..
            }) if accepted == number => break game,
            Event::ChallengeWithdrawn(ChallengeWithdrawn { challenge, .. })
                if challenge == number =>
            {
                progress.clear();
                return Err(Failure::Other(format!(
                    "challenge {number} was declined or cancelled; `connect4 withdraw` pays the \
                     stake back"
                )));
            }
            _ => {}
        }
    };
    progress.clear();
    play::sit(
        global,
        &session,
        contract,
        game,
        &signer,
        args.series,
        farewell,
    )
    .await
}

/// Lists the open challenges.
pub async fn challenges(global: &Global, args: &args::Challenges) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, None).await?;
    let limit = usize::try_from(args.limit).unwrap_or(usize::MAX);
    let found = contract.open_challenges(limit).await?;
    if found.is_empty() && !global.json {
        line("no open challenges")?;
    }
    for (number, challenge) in found.iter().rev() {
        if global.json {
            line(json_challenge(&contract, *number, challenge))?;
        } else {
            line(format!("{number:>5}  {}", terms(&contract, challenge)))?;
        }
    }
    Ok(())
}

/// Accepts a challenge.
pub async fn accept(
    global: &Global,
    args: &args::Accept,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let number = args.challenge;
    let open = challenge_of(&contract, number).await?;
    let signer = accounts::signer_or(&args.signing, open.opponent)?;
    let progress = Progress::new(global.json);
    progress.say("accepting the challenge");
    let receipt = contract.accept(&signer, number).await?;
    progress.clear();
    let game = receipt.value;
    if global.json {
        let started = games::game(&contract, game).await?;
        line(json!({
            "event": "accepted",
            "challenge": number,
            "game": output::json_game(game, contract.address(), &started),
            "transaction": output::json_transaction(&receipt),
        }))?;
    } else {
        done(
            &session,
            &receipt,
            &format!("accepted challenge {number}: game {game}"),
        )?;
    }
    if args.play {
        return play::sit(
            global,
            &session,
            contract,
            game,
            &signer,
            args.series,
            farewell,
        )
        .await;
    }
    if !global.json {
        line(format!(
            "play it by\n  connect4 play --game {game} --seat <red or blue>{}",
            games::reach(&session, &contract)
        ))?;
    }
    Ok(())
}

/// Declines a challenge.
pub async fn decline(global: &Global, args: &args::OneChallenge) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let open = challenge_of(&contract, args.challenge).await?;
    let signer = accounts::signer_or(&args.signing, open.opponent)?;
    let receipt = contract.decline(&signer, args.challenge).await?;
    let text = format!("declined challenge {}", args.challenge);
    told(global, &session, &receipt, "declined", &text)
}

/// Cancels a challenge, and has its stake paid back.
pub async fn cancel(global: &Global, args: &args::OneChallenge) -> Result<(), Failure> {
    let signer = accounts::signer(&args.signing)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let open = challenge_of(&contract, args.challenge).await?;
    let signer = accounts::signer_or(&args.signing, Some(open.challenger))?;
    let receipt = contract.cancel(&signer, args.challenge).await?;
    let text = format!("cancelled challenge {}", args.challenge);
    told(global, &session, &receipt, "cancelled", &text)?;
    if open.terms.stake > 0 {
        pay_out(global, &session, &contract, &signer, &[]).await?;
    }
    Ok(())
}

/// A challenge that has to be open.
async fn challenge_of(contract: &Contract, number: u32) -> Result<Challenge, Failure> {
    contract.open_challenge(number).await?.ok_or_else(|| {
        Failure::Refused(format!(
            "there is no open challenge {number}: it may have been accepted or withdrawn; \
             `connect4 challenges` lists those that are open"
        ))
    })
}

/// Gives a game up.
pub async fn resign(global: &Global, args: &args::OneGame) -> Result<(), Failure> {
    let (session, contract, signer) = seated(global, args).await?;
    let receipt = contract.resign(&signer, args.game).await?;
    ended(global, &session, &contract, args.game, &receipt).await
}

/// Claims that time has run out.
pub async fn claim(global: &Global, args: &args::OneGame) -> Result<(), Failure> {
    // Anyone may.
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let receipt = contract.claim_timeout(&signer, args.game).await?;
    ended(global, &session, &contract, args.game, &receipt).await
}

/// Offers a draw, or answers an offer.
pub async fn draw(global: &Global, args: &args::Answering) -> Result<(), Failure> {
    let (session, contract, signer) = seated(global, &args.of).await?;
    let game = args.of.game;
    match args.answer() {
        None => {
            let receipt = contract.offer_draw(&signer, game).await?;
            if receipt.value {
                ended(global, &session, &contract, game, &receipt).await
            } else {
                let text = format!("offered a draw in game {game}: it lapses when the other moves");
                told(global, &session, &receipt, "draw_offered", &text)
            }
        }
        Some(Answer::Accept) => {
            let receipt = contract.accept_draw(&signer, game).await?;
            ended(global, &session, &contract, game, &receipt).await
        }
        Some(Answer::Decline) => {
            let receipt = contract.decline_draw(&signer, game).await?;
            let text = format!("declined the draw in game {game}");
            told(global, &session, &receipt, "draw_declined", &text)
        }
    }
}

/// Offers a rematch, or answers an offer.
pub async fn rematch(global: &Global, args: &args::Answering) -> Result<(), Failure> {
    let (session, contract, signer) = seated(global, &args.of).await?;
    let game = args.of.game;
    let (receipt, next) = match args.answer() {
        None => {
            let receipt = contract.offer_rematch(&signer, game).await?;
            let next = receipt.value;
            (receipt.bare(), next)
        }
        Some(Answer::Accept) => {
            let receipt = contract.accept_rematch(&signer, game).await?;
            let next = Some(receipt.value);
            (receipt.bare(), next)
        }
        Some(Answer::Decline) => {
            let beside = contract.match_of(game).await?;
            let receipt = contract.decline_rematch(&signer, game).await?;
            let text = format!("declined the rematch of game {game}");
            told(global, &session, &receipt, "rematch_declined", &text)?;
            let ours = games::game(&contract, game)
                .await?
                .player_of(&signer.address());
            if beside.stake > 0 && beside.rematch == ours {
                pay_out(global, &session, &contract, &signer, &[]).await?;
            }
            return Ok(());
        }
    };
    match next {
        Some(next) => {
            let text = format!("started game {next}, the rematch of game {game}");
            if global.json {
                let started = games::game(&contract, next).await?;
                return Ok(line(json!({
                    "event": "rematch",
                    "game": output::json_game(next, contract.address(), &started),
                    "transaction": output::json_transaction(&receipt),
                }))?);
            }
            done(&session, &receipt, &text)?;
            games::players(&games::game(&contract, next).await?)
        }
        None => {
            let text = format!("offered a rematch of game {game}");
            told(global, &session, &receipt, "rematch_offered", &text)
        }
    }
}

/// Pays out what the signer is owed.
pub async fn withdraw(global: &Global, args: &args::Withdraw) -> Result<(), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let games = match args.game {
        Some(game) => vec![game],
        None => unsettled(global, &contract, &signer).await?,
    };
    pay_out(global, &session, &contract, &signer, &games).await
}

/// The newest games of an account that wait to be settled.
async fn unsettled(
    global: &Global,
    contract: &Contract,
    signer: &Signer,
) -> Result<Vec<u32>, Failure> {
    /// How far back they are looked for; --game names an older one.
    const LOOKED_AT: u32 = 200;
    /// How many are settled in one transaction.
    const MOST: usize = 20;
    let progress = Progress::new(global.json);
    progress.say("looking for games to settle");
    let count = contract.game_count().await?;
    let mut found = Vec::new();
    for number in (count.saturating_sub(LOOKED_AT)..count).rev() {
        let Some(game) = contract.game(number).await? else {
            continue;
        };
        if game.player_of(&signer.address()).is_some()
            && contract.is_unsettled(number, &game).await?
        {
            found.push(number);
        }
        if found.len() == MOST {
            break;
        }
    }
    Ok(found)
}

/// Has these games settled and the signer paid what it is owed.
pub async fn pay_out(
    global: &Global,
    session: &Session,
    contract: &Contract,
    signer: &Signer,
    games: &[u32],
) -> Result<(), Failure> {
    let progress = Progress::new(global.json);
    progress.say("withdrawing");
    let receipt = contract.withdraw(signer, games).await?;
    progress.clear();
    if global.json {
        return Ok(line(json_withdrawn(contract, signer, &receipt))?);
    }
    let amount = contract.amount(receipt.value);
    done(session, &receipt, &format!("{signer} was paid {amount}"))
}

/// What an account was paid, for machines.
pub fn json_withdrawn(
    contract: &Contract,
    signer: &Signer,
    receipt: &Receipt<u128>,
) -> serde_json::Value {
    json!({
        "event": "withdrawn",
        "account": signer.address().to_string(),
        "amount": contract.in_token(receipt.value).to_string(),
        "transaction": output::json_transaction(receipt),
    })
}

/// Frees the storage of a game that has ended.
pub async fn free(global: &Global, args: &args::OneGame) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let signer = accounts::signer(&args.signing)?;
    let contract = session.contract(global, signer.as_ref()).await?;
    let game = games::game(&contract, args.game).await?;
    let signer = accounts::signer_or(&args.signing, Some(game.payer()))?;
    let receipt = contract.free(&signer, args.game).await?;
    let text = format!("freed the storage of game {}", args.game);
    told(global, &session, &receipt, "freed", &text)
}

/// Shows who has won how often, from the contract's events.
pub async fn table(global: &Global, args: &args::Standings) -> Result<(), Failure> {
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, None).await?;
    let progress = Progress::new(global.json);
    progress.say("reading the contract's events");
    let first = contract.first_block().await?.max(args.from_block);
    let head = session.client.height().await?;
    let events = contract.events(first..=head).await?;
    progress.clear();
    let table = standings(events.iter().map(|at| &at.event));
    if table.is_empty() && !global.json {
        line("no finished games yet")?;
    }
    if !table.is_empty() && !global.json {
        line("rating  wins  draws  losses  account")?;
    }
    for row in table {
        if global.json {
            line(json!({
                "account": row.account.to_string(),
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "rating": row.rating.round(),
            }))?;
        } else {
            line(format!(
                "{:>6.0}  {:>4}  {:>5}  {:>6}  {}",
                row.rating,
                row.wins,
                row.draws,
                row.losses,
                output::who(row.account)
            ))?;
        }
    }
    Ok(())
}

/// The chain, the contract, and who the command line says signs.
async fn seated(
    global: &Global,
    args: &args::OneGame,
) -> Result<(Session, Contract, Signer), Failure> {
    let signer = accounts::signer_or(&args.signing, None)?;
    let session = Session::open(global, false).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    games::game(&contract, args.game).await?;
    Ok((session, contract, signer))
}

/// Says what a transaction did.
fn done<T>(session: &Session, receipt: &Receipt<T>, text: &str) -> Result<(), Failure> {
    games::mapped(receipt.mapped.as_ref(), session)?;
    line(text)?;
    let cost = output::cost(receipt, session.client.token());
    Ok(line(output::dim(format!("  {cost}")))?)
}

fn told<T>(
    global: &Global,
    session: &Session,
    receipt: &Receipt<T>,
    event: &str,
    text: &str,
) -> Result<(), Failure> {
    if global.json {
        return Ok(line(json!({
            "event": event,
            "transaction": output::json_transaction(receipt),
        }))?);
    }
    done(session, receipt, text)
}

/// Says how a game ended.
async fn ended<T>(
    global: &Global,
    session: &Session,
    contract: &Contract,
    number: u32,
    receipt: &Receipt<T>,
) -> Result<(), Failure> {
    let game = games::game(contract, number).await?;
    if global.json {
        return Ok(line(json!({
            "event": "ended",
            "game": output::json_game(number, contract.address(), &game),
            "transaction": output::json_transaction(receipt),
        }))?);
    }
    let text = format!("game {number} ended: {}", output::standing(&game));
    done(session, receipt, &text)
}

/// A challenge in a line.
fn terms(contract: &Contract, challenge: &Challenge) -> String {
    let to = match challenge.opponent {
        Some(opponent) => output::who(opponent),
        None => "anyone".into(),
    };
    let first = match (challenge.challenger_first, challenge.opponent) {
        (true, _) => "the challenger begins",
        (false, Some(_)) => "the challenged begins",
        (false, None) => "who accepts begins",
    };
    let shape = challenge.terms.shape;
    let mut text = format!(
        "{} challenges {to}: {}x{}, line {}; {first}",
        output::who(challenge.challenger),
        shape.bins,
        shape.capacity,
        shape.line,
    );
    if let Some(clock) = challenge.terms.clock {
        text.push_str(&format!("; {}", output::clock(clock)));
    }
    if challenge.terms.stake > 0 {
        let stake = contract.amount(challenge.terms.stake);
        text.push_str(&format!("; stake {stake} each"));
    }
    text
}

fn json_challenge(contract: &Contract, number: u32, challenge: &Challenge) -> serde_json::Value {
    json!({
        "challenge": number,
        "challenger": challenge.challenger.to_string(),
        "opponent": challenge.opponent.map(|opponent| opponent.to_string()),
        "challenger_first": challenge.challenger_first,
        "shape": output::json_shape(challenge.terms.shape),
        "clock": output::json_clock_spec(challenge.terms.clock),
        "stake": contract.in_token(challenge.terms.stake).to_string(),
    })
}

/// What goes beside a game, in lines for people; none for a bare game that nobody offers anything
/// in.
pub fn beside(contract: &Contract, game: &Game, beside: &Match) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(clock) = beside.clock {
        lines.push(format!("clock: {}", output::clock(clock)));
    }
    if beside.stake > 0 {
        let stake = contract.amount(beside.stake);
        let settled = match (beside.settled, game.is_over()) {
            (true, _) => ", settled",
            (false, true) => ", to be settled by `connect4 withdraw`",
            (false, false) => "",
        };
        lines.push(format!("stake: {stake} each{settled}"));
    }
    if let Some(by) = beside.draw_offer(game) {
        lines.push(format!("{by} offers a draw"));
    }
    if let Some(by) = beside.rematch {
        lines.push(format!("{by} offers a rematch"));
    }
    let linked = |what: &str, game: Option<u32>| game.map(|game| format!("{what} game {game}"));
    let links: Vec<String> = [
        linked("the rematch of", beside.previous),
        linked("followed by", beside.next),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !links.is_empty() {
        let score = beside.score.and(game.outcome());
        lines.push(format!(
            "{}; the series stands red {} : {} blue, draws {}",
            links.join(", "),
            score.one,
            score.two,
            score.draws
        ));
    }
    lines
}

/// What goes beside a game, for machines.
pub fn json_beside(contract: &Contract, game: &Game, beside: &Match) -> serde_json::Value {
    let score = beside.score.and(game.outcome());
    json!({
        "clock": output::json_clock_spec(beside.clock),
        "stake": contract.in_token(beside.stake).to_string(),
        "settled": beside.settled,
        "draw_offer": beside.draw_offer(game).map(Player::colour),
        "rematch_offer": beside.rematch.map(Player::colour),
        "previous": beside.previous,
        "next": beside.next,
        "score": output::json_score(score),
    })
}

/// The seat of an account in a game that it plays.
pub fn seat_of(game: &Game, number: u32, account: Address) -> Result<Seat, Failure> {
    match game.player_of(&account) {
        Some(Player::One) => Ok(Seat::Red),
        Some(Player::Two) => Ok(Seat::Blue),
        None => Err(Failure::Refused(format!(
            "{} does not play game {number}",
            output::who(account)
        ))),
    }
}
