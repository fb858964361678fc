//! `seek`, and `play --guest`: a signed game against somebody at a relay.

use std::time::Duration;

use connect4_client::signed::{GameOffer, How, Lobby, LobbyError, LobbyNews, Sought};
use connect4_protocol::ClockSpec;
use connect4_protocol::signed::Terms;
use connect4_protocol::signed::lobby::OfferId;
use connect4_rules::Player as Side;
use connect4_rules::variant::VariantSpec;
use url::Url;

use super::offer::{Agreeing, Offered, Taken};
use super::sitting::Sitting;
use crate::accounts;
use crate::args::{self, Board, Global, Play, Seek, Signing, Turn, pooled};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::place::Place;
use crate::play::offered::terms_in_words;
use crate::play::relay;
use crate::qr;
use crate::said::Said;
use crate::words::{quoted, sought_in_words, who};

/// The clock of a game with a stake, if none is named.
const STAKED_CLOCK: ClockSpec = ClockSpec {
    bank: Terms::MIN_STAKED_BANK,
    increment: 5,
};

/// How long an offer with a stake that came after the own one is there before it is taken: its player may take the own one.
const LATER: Duration = Duration::from_secs(10);

/// Finds an opponent as the command line says, and plays.
pub async fn seek(
    global: &Global,
    args: &Seek,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let player = match args.turn {
        Turn::Random => None,
        Turn::First => Some(Side::One),
        Turn::Second => Some(Side::Two),
    };
    let mut sought = sought(args.board, args.pie_rule, args.sought, player)?;
    let account = match (&args.secret_file, &args.account) {
        (Some(path), _) => Some(accounts::from_file(path)?),
        (None, Some(name)) => Some(accounts::development(name)?),
        (None, None) => None,
    };
    let signing = Signing {
        account: args.account.clone(),
        secret_file: args.secret_file.clone(),
    };
    let agreeing = Agreeing {
        stake: args.stake.as_deref(),
        yes: args.yes,
    };
    if let Some(line) = &args.take {
        let taken = Taken::read(line)?;
        let relay = match &taken.relay {
            Some(relay) => relay.clone(),
            None => relay_of(global, args.relay.clone())?,
        };
        let mut sitting = Sitting::at(global, account, &signing, relay, args.series)?;
        if taken.offer.terms.stake > 0 {
            sitting.reach_stakes(global, &signing, out).await?;
        }
        if !sitting.wants(&taken, &agreeing, out).await? {
            return Ok(());
        }
        return sitting.take(taken, out, farewell).await;
    }
    if let Some(link) = &args.join {
        let Taken { offer, relay, .. } = Taken::read(link)?;
        let relay = match args.relay.clone().or(relay) {
            Some(relay) => relay,
            None => relay_of(global, None)?,
        };
        let mut sitting = Sitting::at(global, account, &signing, relay, args.series)?;
        match offer.terms.stake {
            0 => out.say(Said::Notice(&terms_in_words(&offer)))?,
            _ => {
                sitting.reach_stakes(global, &signing, out).await?;
                if !sitting.agrees_to_pay(&offer, &agreeing, out).await? {
                    return Ok(());
                }
                sought.terms = offer.terms;
            }
        }
        let how = How::Join(Box::new(offer));
        return find(&sitting, &sought, how, out, farewell).await;
    }
    let relay = relay_of(global, args.relay.clone())?;
    let mut sitting = Sitting::at(global, account, &signing, relay, args.series)?;
    if let Some(id) = args.answer {
        return answer(
            sitting,
            id,
            sought,
            (global, &signing, &agreeing),
            out,
            farewell,
        )
        .await;
    }
    if let Some(stake) = args.stake.as_deref().filter(|_| !args.list) {
        sitting.reach_stakes(global, &signing, out).await?;
        sought.terms.stake = sitting.parse_stake(stake)?;
        sought.terms.clock = args.sought.timed.clock_or(STAKED_CLOCK);
        let bank = sought.terms.clock.map_or(0, |clock| clock.bank);
        if bank < Terms::MIN_STAKED_BANK {
            return Err(Failure::Usage(
                "with a stake each player has 5 minutes at least, as blocks take time: --clock 5+5"
                    .into(),
            ));
        }
    }
    if args.offer {
        let offered = Offered {
            terms: sought.terms,
            witness: args.witness,
            turn: args.turn,
        };
        return sitting.offer(&offered, out, farewell).await;
    }
    if args.resume {
        if !sitting.who.is_guest && sitting.has_stakes()? {
            sitting.reach_stakes(global, &signing, out).await?;
        }
        return sitting.resume(out, farewell).await;
    }
    if args.list {
        return list(&sitting, out).await;
    }
    if args.invite {
        let page = args.page.as_deref().map(web_page).transpose()?;
        let lobby = sitting.enter().await?;
        let offer = sitting.offer_by_link(&lobby, &sought)?;
        invited(&sitting.relay, &offer, page.as_deref(), out)?;
        let how = How::Invite(Box::new(offer));
        return find(&sitting, &sought, how, out, farewell).await;
    }
    // A player who came later may want one opponent alone, and take nobody's offer.
    let later = (sought.terms.stake > 0).then_some(LATER);
    find(&sitting, &sought, How::Play(later), out, farewell).await
}

/// Takes the offer with this number, whose stake is paid only after it was agreed to.
async fn answer(
    mut sitting: Sitting,
    id: OfferId,
    mut sought: Sought,
    (global, signing, agreeing): (&Global, &Signing, &Agreeing<'_>),
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut lobby = sitting.enter().await?;
    all_of(&mut lobby).await?;
    let found = lobby.offers().find(|(other, _)| *other == id);
    let offer = found.map(|(_, offer)| offer.clone());
    let agreed = offer.filter(|offer| offer.terms.stake > 0);
    if let Some(offer) = &agreed {
        sitting.reach_stakes(global, signing, out).await?;
        if !sitting.agrees_to_pay(offer, agreeing, out).await? {
            return Ok(());
        }
        sought.terms = offer.terms;
    }
    let how = How::Take(id, agreed.map(Box::new));
    find(&sitting, &sought, how, out, farewell).await
}

/// Has all offers listed.
async fn all_of(lobby: &mut Lobby) -> Result<(), Failure> {
    lobby.list();
    let lost = |error: LobbyError| Failure::Other(error.to_string());
    while lobby.next().await.map_err(lost)? != LobbyNews::Complete {}
    Ok(())
}

/// Plays against the first who fits.
pub async fn play(
    global: &Global,
    args: &Play,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let rules = args.terms.with_players(args.terms.players.unwrap_or(2))?;
    if !rules.is_of_two() {
        return Err(Failure::Usage(
            "guests play on any board, with or without the pie rule: variants need a chain".into(),
        ));
    }
    let sought = sought(args.terms.board, args.terms.pie_rule, args.sought, None)?;
    let relay = relay_of(global, args.relaying.relay.clone())?;
    let sitting = Sitting::at(global, None, &Signing::default(), relay, args.series)?;
    find(&sitting, &sought, How::Play(None), out, farewell).await
}

/// Finds an opponent, and plays.
async fn find(
    sitting: &Sitting,
    sought: &Sought,
    how: How,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let mut lobby = sitting.enter().await?;
    let you = who(sitting.who.address());
    let kind = if sitting.who.is_guest {
        "the guest "
    } else {
        ""
    };
    out.say(Said::Notice(&format!("you are {kind}{you}")))?;
    let waiting = waiting(&sought.terms, &how);
    sitting
        .seek(&mut lobby, sought, how, &waiting, out, farewell)
        .await
}

fn sought(
    board: Board,
    pie_rule: bool,
    sought: args::Sought,
    player: Option<Side>,
) -> Result<Sought, Failure> {
    let rules = VariantSpec::of_two(board.shape()?, pie_rule);
    let (rules, pool) = pooled(rules, sought.pool)?;
    let terms = Terms {
        pool,
        clock: sought.timed.clock_or(ClockSpec::USUAL),
        ..Terms::by_rules(&rules)
    };
    Ok(Sought {
        terms,
        player,
        opponent: None,
    })
}

/// The page that a player has named, without a slash at its end.
fn web_page(text: &str) -> Result<String, Failure> {
    let is_page = Url::parse(text).is_ok_and(|url| ["http", "https"].contains(&url.scheme()));
    is_page
        .then(|| text.trim_end_matches('/').to_owned())
        .ok_or_else(|| {
            Failure::Usage(format!(
                "{text} is no page: give the URL of one with --page, such as https://games.example"
            ))
        })
}

/// The page of the host that has a relay.
fn page_of(relay: &str) -> String {
    let page = relay.trim_end_matches('/');
    match page.strip_prefix("ws") {
        Some(rest) => format!("http{rest}"),
        None => page.to_owned(),
    }
}

/// Says by what the friend joins.
fn invited(
    relay: &str,
    offer: &GameOffer,
    page: Option<&str>,
    out: &mut Output,
) -> Result<(), Failure> {
    let page = page.map_or_else(|| page_of(relay), str::to_owned);
    let link = format!("{page}/{}", offer.fragment());
    let text = format!(
        "your friend opens\n  {link}\nor joins with\n  connect4 seek --join {}",
        quoted(&link)
    );
    out.say(Said::Notice(&text))?;
    if out.is_terminal()
        && let Some(drawn) = qr::drawn(&link)
    {
        out.say(Said::Notice(&drawn))?;
    }
    Ok(())
}

/// URL of the relay that is named, or else of the one of this machine.
pub fn relay_of(global: &Global, relay: Option<String>) -> Result<String, Failure> {
    let folder = Place::folder(global)?.own_folder(global);
    let url = relay::url(relay.as_deref(), folder.as_deref());
    url.ok_or_else(|| Failure::Usage("name a relay with --relay".into()))
}

/// For whom the program waits, in words.
fn waiting(terms: &Terms, how: &How) -> String {
    let sought = sought_in_words(terms);
    match how {
        How::Play(_) => {
            format!("waiting for an opponent: {sought}; Ctrl-C leaves")
        }
        How::Invite(_) => format!("waiting for your friend: {sought}; Ctrl-C leaves"),
        How::Join(_) => "waiting for the friend who sent the link; Ctrl-C leaves".into(),
        How::Take(id, _) => format!("waiting for the player of seek {id}; Ctrl-C leaves"),
        How::Rematch(..) => "waiting for the opponent; Ctrl-C leaves".into(),
    }
}

async fn list(sitting: &Sitting, out: &mut Output) -> Result<(), Failure> {
    let mut lobby = sitting.enter().await?;
    all_of(&mut lobby).await?;
    let mut is_empty = true;
    for (id, offer) in lobby.offers() {
        is_empty = false;
        out.say(Said::Notice(&line(id, offer)))?;
    }
    if is_empty {
        out.say(Said::Notice("nobody seeks a game"))?;
    }
    Ok(())
}

fn line(id: u64, offer: &GameOffer) -> String {
    let turn = match offer.player {
        None => "either moves first",
        Some(Side::One) => "you move second",
        Some(Side::Two) => "you move first",
    };
    let terms = &offer.terms;
    let program = if terms.programs.one {
        ", a program"
    } else {
        ""
    };
    let stake = match terms.stake {
        0 => "",
        _ => ", for a stake, which is shown before it is paid",
    };
    let account = who(offer.party().account());
    format!(
        "{id:>5}  {}, {turn}, {account}{program}{stake}",
        sought_in_words(terms)
    )
}

#[cfg(test)]
mod tests {
    use connect4_rules::Shape;

    use super::*;

    #[test]
    fn a_link_leads_to_a_page() {
        assert_eq!(
            web_page("https://host.example/games/").unwrap(),
            "https://host.example/games"
        );
        for text in ["host.example", "wss://relay.example", "x y", ""] {
            let refused = web_page(text).unwrap_err().to_string();
            assert!(refused.contains("is no page: give the URL"), "{refused}");
        }
    }

    #[test]
    fn a_player_who_waits_sees_for_what() {
        let terms = Terms {
            pie_rule: true,
            pool: 2,
            clock: Some(ClockSpec::USUAL),
            ..Terms::on(Shape::STANDARD)
        };
        assert_eq!(
            waiting(&terms, &How::Play(None)),
            "waiting for an opponent: 7x6, line 4, pie rule, clock 3+2, pool pie; Ctrl-C leaves"
        );
        let untimed = Terms {
            clock: None,
            ..terms
        };
        let said = waiting(&untimed, &How::Play(None));
        assert!(
            said.contains("no clock: nobody can be made to move, and the game is unrated"),
            "{said}"
        );
    }

    #[test]
    fn the_page_of_a_relay_is_at_its_host() {
        assert_eq!(page_of("wss://relay.example/"), "https://relay.example");
        assert_eq!(page_of("ws://127.0.0.1:4404"), "http://127.0.0.1:4404");
        assert_eq!(page_of("https://host.example"), "https://host.example");
    }
}
