//! Challenges to fast games that are signed, and not sent to the chain: the game starts with one
//! transaction, that of who accepts.

use codec::{DecodeAll as _, Encode as _};
use connect4_client::fast::Agreement;
use connect4_client::{Address, Contracts, Event, GameId, Named, Signer, Watch};
use connect4_protocol::event::SessionKeysNamed;
use connect4_protocol::fast::SignedChallenge;
use connect4_protocol::message::AcceptSigned;
use connect4_protocol::{Challenge, ClockSpec, Game, Terms};
use connect4_wire::warnings::warnings;
use connect4_wire::words::now;

use super::fast;
use crate::accounts;
use crate::args::{self, Accept, First, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::game::GameAt;
use crate::lookup;
use crate::output::Output;
use crate::play;
use crate::said::Said;
use crate::session::Session;

/// What the text of a signed challenge begins with.
const PREFIX: &str = "connect4:";

/// The text by which the opponent accepts.
fn text(signed: &SignedChallenge) -> String {
    let digits: String = signed
        .encode()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{PREFIX}{digits}")
}

/// The challenge in a text.
fn read(text: &str) -> Result<SignedChallenge, Failure> {
    let no_challenge = || {
        Failure::Usage(
            "this is not a signed challenge: give the word that begins with connect4:, as \
             `connect4 challenge --fast --signed` prints it"
                .into(),
        )
    };
    let digits = text.trim().strip_prefix(PREFIX).ok_or_else(no_challenge)?;
    let bytes: Option<Vec<u8>> = digits
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect();
    let bytes = bytes.ok_or_else(no_challenge)?;
    SignedChallenge::decode_all(&mut &*bytes).map_err(|_| no_challenge())
}

/// Signs a challenge and prints its text; with `--play`, plays the game once it is accepted.
pub async fn challenge(
    global: &Global,
    args: &args::Challenge,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let shape = args.board.shape()?;
    let signer = accounts::signer_or_alice(&args.signing)?;
    let session = Session::open(global, false, out).await?;
    let stake = session.client.token().parse(&args.stake);
    if stake.is_ok_and(|stake| stake > 0) {
        return Err(Failure::Usage(
            "a signed challenge cannot have a stake: leave out --signed".into(),
        ));
    }
    let Some(expires) = args.expires.0 else {
        return Err(Failure::Usage(
            "a signed challenge can't be cancelled: give it a time with --expires".into(),
        ));
    };
    let progress = out.progress();
    let (contract, deployment) = session
        .contract_or_deploy(global, &signer, &progress)
        .await?;
    let mut challenge = Challenge {
        challenger: signer.address(),
        opponent: args.opponent.as_ref().map(Named::address),
        challenger_first: match args.first {
            First::Me => true,
            First::Them => false,
            First::Random => rand::random(),
        },
        expires: Some(now().saturating_add(expires.into())),
        key: None,
        terms: Terms {
            shape,
            clock: args.bank.map(|bank| ClockSpec {
                bank,
                increment: args.increment,
            }),
            stake: 0,
        },
    };
    let domain = contract.domain()?;
    let agreement = Agreement::of_challenger(domain, &challenge);
    let key = fast::new_key(&fast::keyring(&session.place, global)?, agreement)?;
    challenge.key = Some(key);
    let signed = signer
        .sign_challenge(challenge, &domain)
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let watch = match args.play {
        true => Some(contract.watch().await?),
        false => None,
    };
    progress.clear();
    let relay = fast::relay_option(&args.relaying);
    let reach = format!("{relay}{}", lookup::reach(&session, &contract));
    out.say(Said::ChallengeSigned {
        text: &text(&signed),
        challenge: &challenge,
        deployment: deployment.as_ref(),
        reach: &reach,
    })?;
    let Some(watch) = watch else {
        return Ok(());
    };
    session.endure(out);
    progress.say("waiting until the opponent accepts; Ctrl-C leaves");
    let id = out.wait_for(started(watch, key)).await??;
    progress.clear();
    let table = fast::table(&session.place, global, contract, id, signer, &args.relaying);
    play::play(&session, table.await?, args.series, out, farewell).await
}

/// Waits until a game with this session key has started, and returns it.
async fn started(mut watch: Watch, key: Address) -> Result<GameId, Failure> {
    loop {
        if let Event::SessionKeysNamed(SessionKeysNamed { game, one, two }) =
            watch.next().await?.event
            && (one == key || two == key)
        {
            return Ok(GameId::of_two(game));
        }
    }
}

/// Accepts a challenge by its text; with `--play`, plays the game.
pub async fn accept(
    global: &Global,
    args: &Accept,
    signed: &str,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let signed = read(signed)?;
    let challenge = signed.challenge;
    let signer = accounts::signer_or(&args.signing, challenge.opponent)?;
    let session = Session::open(global, false, out).await?;
    let contract = session.contract(global, Some(&signer)).await?;
    let warnings = warnings(&challenge.terms, session.client.block_time().await);
    out.say(Said::Terms {
        number: None,
        challenge: &challenge,
        by: signer.address(),
        warnings: &warnings,
    })?;
    let (domain, account) = (contract.domain()?, signer.address());
    let agreement = Agreement::of_acceptor(domain, account, &challenge);
    let key = fast::new_key(&fast::keyring(&session.place, global)?, agreement)?;
    let progress = out.progress();
    progress.say("accepting the challenge");
    let receipt = contract.send(&signer, AcceptSigned { key, signed }).await?;
    progress.clear();
    let id = receipt.value;
    let game = lookup::game::<Game>(&contract, id).await?;
    out.say(Said::Accepted {
        challenge: None,
        at: GameAt::of(&contract, id, game.value),
        sent: (&receipt).into(),
    })?;
    go_on(&session, global, args, contract, id, signer, out, farewell).await
}

/// Plays a fast game that was accepted, if that is wanted; else says how to.
#[expect(
    clippy::too_many_arguments,
    reason = "what both ways to accept have in common"
)]
pub async fn go_on(
    session: &Session,
    global: &Global,
    args: &Accept,
    contract: Contracts,
    id: GameId,
    signer: Signer,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    if !args.play {
        return out.say(Said::HowToPlay {
            game: id,
            reach: &lookup::reach(session, &contract),
        });
    }
    let table = fast::table(&session.place, global, contract, id, signer, &args.relaying);
    play::play(session, table.await?, args.series, out, farewell).await
}

#[cfg(test)]
mod tests {
    use connect4_client::Signer;
    use connect4_protocol::fast::Domain;
    use connect4_rules::Shape;

    use super::*;

    #[test]
    fn a_text_is_read_back() {
        let signer = Signer::development("alice").expect("a development account");
        let challenge = Challenge {
            challenger: signer.address(),
            opponent: Some(Address([7; 20])),
            challenger_first: true,
            expires: Some(1_800_000_000),
            key: Some(Address([8; 20])),
            terms: Terms {
                shape: Shape::STANDARD.into(),
                clock: None,
                stake: 0,
            },
        };
        let domain = Domain::new(1, Address([9; 20]));
        let signed = signer
            .sign_challenge(challenge, &domain)
            .expect("it may be");
        let written = text(&signed);
        assert!(read(&written).is_ok_and(|read| read == signed));
        for broken in [
            "",
            "connect4:",
            "connect4:zz",
            &written[..100],
            &written[9..],
        ] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
