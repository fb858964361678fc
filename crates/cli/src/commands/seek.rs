//! `seek`, and `play --guest`: a game by signed terms against somebody at a relay.

use connect4_client::Signer;
use connect4_client::fast::{
    Invite, Lobby, LobbyError, LobbyNews, NotPaired, OpenGame, Side, Wish,
};
use connect4_protocol::fast::lobby::SignedSeek;
use connect4_protocol::fast::wire::Refusal;
use connect4_protocol::fast::{PoolName, SignedTerms};
use connect4_protocol::signed::Terms;
use connect4_rules::Shape;
use connect4_rules::variant::VariantSpec;
use url::Url;

use super::guest::{Identified, failed};
use super::offer::{Offered, Seated, Taken};
use crate::accounts;
use crate::args::{Board, Global, Play, Relaying, Seek, Signing, Sought, Turn, pooled};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::place::Place;
use crate::play::fast::relay_url;
use crate::play::signed::{self, SignedTable};
use crate::qr;
use crate::said::Said;
use crate::words::{quoted, who};

/// How a player finds an opponent.
enum How {
    /// The first who seeks the same, or who answers.
    Play,
    /// Anyone who answers.
    Seek,
    /// The friend who has this code, who joins; by a link to this page, if one is named.
    Invite { code: Invite, page: Option<String> },
    /// The friend who has made this code.
    Join(Invite),
    /// The seek with this number.
    Answer(u64),
}

/// Finds an opponent as the command line says, and plays.
pub async fn seek(
    global: &Global,
    args: &Seek,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let how = match (&args.join, args.answer) {
        (Some(code), _) => How::Join(invite(code)?),
        (None, Some(id)) => How::Answer(id),
        (None, None) if args.invite => How::Invite {
            code: rand::random(),
            page: args.page.as_deref().map(web_page).transpose()?,
        },
        (None, None) => How::Seek,
    };
    let side = match args.turn {
        Turn::Random => Side::Random,
        Turn::First => Side::First,
        Turn::Second => Side::Second,
    };
    let wish = wish(args.board, args.pie_rule, args.sought, side)?;
    let account = match (&args.secret_file, &args.account) {
        (Some(path), _) => Some(accounts::from_file(path)?),
        (None, Some(name)) => Some(accounts::development(name)?),
        (None, None) => None,
    };
    let signing = Signing {
        account: args.account.clone(),
        secret_file: args.secret_file.clone(),
    };
    if let Some(line) = &args.take {
        let taken = Taken::read(line)?;
        if !taken.is_wanted(args.yes, out).await? {
            return Ok(());
        }
        let player = Player::at(global, account, &signing, taken.relay.clone())?;
        return player.seated().take(taken, out, farewell).await;
    }
    let player = Player::open(global, account, &signing, args.relay.clone())?;
    if let (true, Some(witness)) = (args.offer, args.witness) {
        let terms = Terms {
            shape: wish.shape,
            pie_rule: wish.pie_rule,
            pool: wish.pool,
            clock: wish.clock,
            ..Terms::on(Shape::STANDARD)
        };
        let offered = Offered {
            terms,
            witness,
            turn: args.turn,
        };
        return player.seated().offer(&offered, out, farewell).await;
    }
    if args.resume {
        let seated = player.seated();
        if seated.resume(out, farewell).await? {
            return Ok(());
        }
        let player = Player::from(seated);
        return player.resume(args.series, out, farewell).await;
    }
    if args.list {
        return list(player, out).await;
    }
    player.play(&wish, how, args.series, out, farewell).await
}

/// Plays against the first who fits.
pub async fn play(
    global: &Global,
    args: &Play,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let only_pie_rule = VariantSpec {
        pie_rule: args.terms.pie_rule,
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let terms = args.terms.with_players(args.terms.players.unwrap_or(2))?;
    if (VariantSpec {
        shape: only_pie_rule.shape,
        ..terms
    }) != only_pie_rule
    {
        return Err(Failure::Usage(
            "guests play on any board, with or without the pie rule: variants need a chain".into(),
        ));
    }
    let wish = wish(
        args.terms.board,
        args.terms.pie_rule,
        args.sought,
        Side::Random,
    )?;
    let guest = Signing::default();
    let player = Player::open(global, None, &guest, args.relaying.relay.clone())?;
    player
        .play(&wish, How::Play, args.series, out, farewell)
        .await
}

fn wish(board: Board, pie_rule: bool, sought: Sought, side: Side) -> Result<Wish, Failure> {
    let (shape, pie_rule, pool) = pooled(board.shape()?, pie_rule, sought.pool)?;
    Ok(Wish {
        shape,
        pie_rule,
        pool,
        clock: sought.clock()?,
        side,
    })
}

/// What stands before the code in a link.
const JOIN: &str = "#join=";

/// The code of an invite: at the end of a link, or alone.
fn invite(link: &str) -> Result<Invite, Failure> {
    let code = link.rsplit_once(JOIN).map_or(link, |(_, code)| code);
    let mut invite = Invite::default();
    let read = hex::decode_to_slice(code, &mut invite);
    read.map_err(|_| {
        Failure::Usage(format!(
            "a link of an invite ends with {JOIN} and 32 hexadecimal digits"
        ))
    })?;
    Ok(invite)
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
fn invited(relay: &str, code: Invite, page: Option<&str>, out: &mut Output) -> Result<(), Failure> {
    let page = page.map_or_else(|| page_of(relay), str::to_owned);
    let code = hex::encode(code);
    let link = format!("{page}/{JOIN}{code}");
    let text = format!(
        "your friend opens\n  {link}\nor joins with\n  connect4 seek --relay {relay} --join {code}"
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
    let relaying = Relaying {
        relay,
        no_relay: false,
    };
    let url = relay_url(&relaying, folder.as_deref());
    url.ok_or_else(|| Failure::Usage("name a relay with --relay".into()))
}

struct Player {
    who: Identified,
    url: String,
    /// The command that resumes a game.
    resumed_by: String,
}

impl Player {
    /// The guest of this machine, or the account that the command line names.
    fn open(
        global: &Global,
        account: Option<Signer>,
        signing: &Signing,
        relay: Option<String>,
    ) -> Result<Self, Failure> {
        let url = relay_of(global, relay)?;
        Self::at(global, account, signing, url)
    }

    fn at(
        global: &Global,
        account: Option<Signer>,
        signing: &Signing,
        url: String,
    ) -> Result<Self, Failure> {
        let place = Place::folder(global)?.options();
        let options = signing.options();
        let relay = quoted(&url);
        let resumed_by = format!("connect4 seek --resume --relay {relay}{options}{place}");
        let who = match account {
            Some(account) => Identified::account(global, account),
            None => Identified::guest(global),
        }?;
        Ok(Self {
            who,
            url,
            resumed_by,
        })
    }

    /// The same for signed games in the room of a witness.
    fn seated(self) -> Seated {
        Seated {
            who: self.who,
            relay: self.url,
            resumed_by: self.resumed_by,
        }
    }

    async fn enter(&self) -> Result<Lobby, Failure> {
        let entered = self.who.enter(&self.url).await;
        entered.map_err(|error| match error {
            LobbyError::Lost(why) => Failure::Other(format!(
                "the relay {} is not reachable: {why}; check its URL, or run one by `connect4 relay`",
                self.url
            )),
            LobbyError::Refused(Refusal::NoSuchGame) => Failure::Refused(format!(
                "the relay {} finds no contract of fast games on its chain: `connect4 deploy` puts it there",
                self.url
            )),
            error => lost(error),
        })
    }

    /// Finds an opponent, and plays.
    async fn play(
        self,
        wish: &Wish,
        how: How,
        series: bool,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let mut lobby = self.enter().await?;
        let domain = lobby.domain();
        let you = who(self.who.address());
        let kind = if self.who.is_guest { "the guest " } else { "" };
        out.say(Said::Notice(&format!("you are {kind}{you}")))?;
        if let How::Invite { code, page } = &how {
            invited(&self.url, *code, page.as_deref(), out)?;
        }
        let progress = out.progress();
        progress.say(&waiting(wish, &how));
        let paired = pair(&mut lobby, wish, &how).await;
        progress.clear();
        let terms = paired?;
        drop(lobby);
        let game = OpenGame {
            terms,
            domain,
            relay: self.url,
        };
        let table = SignedTable::begin(game, self.who.key, self.who.games, self.resumed_by)?;
        signed::play(table, series, out, farewell).await
    }

    /// Resumes the game that was begun last, at the relay that is named, or where it was.
    async fn resume(
        self,
        series: bool,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let games = self.who.games;
        let game = games.latest_open(self.who.key.key().address());
        let game = game.map_err(failed)?;
        let game = game.ok_or_else(|| Failure::Refused("no game goes on".into()))?;
        let game = OpenGame {
            relay: self.url,
            ..game
        };
        let table = SignedTable::resume(game, self.who.key, games, self.resumed_by)?;
        signed::play(table, series, out, farewell).await
    }
}

impl From<Seated> for Player {
    fn from(seated: Seated) -> Self {
        Self {
            who: seated.who,
            url: seated.relay,
            resumed_by: seated.resumed_by,
        }
    }
}

/// For whom the program waits, in words.
fn waiting(wish: &Wish, how: &How) -> String {
    let sought = || {
        let rule = if wish.pie_rule { ", pie rule" } else { "" };
        let clock = wish.clock.map(|clock| format!(", clock {clock}"));
        let clock = clock.unwrap_or_default();
        format!("{}{rule}{clock}, pool {}", wish.shape, PoolName(wish.pool))
    };
    match how {
        How::Play | How::Seek => format!("waiting for an opponent: {}; Ctrl-C leaves", sought()),
        How::Invite { .. } => format!("waiting for your friend: {}; Ctrl-C leaves", sought()),
        How::Join(_) => "waiting for the friend who sent the link; Ctrl-C leaves".into(),
        How::Answer(id) => format!("waiting for the player of seek {id}; Ctrl-C leaves"),
    }
}

/// Waits until there is an opponent.
async fn pair(lobby: &mut Lobby, wish: &Wish, how: &How) -> Result<SignedTerms, Failure> {
    match how {
        How::Play | How::Seek => lobby.seek(wish, None).await.map_err(lost)?,
        How::Answer(_) => lobby.list(false).await.map_err(lost)?,
        How::Invite { code, .. } => lobby.seek(wish, Some(*code)).await.map_err(lost)?,
        How::Join(invite) => lobby.look(*invite).await.map_err(lost)?,
    }
    loop {
        let id = match lobby.next().await.map_err(lost)? {
            LobbyNews::Paired(terms) => return Ok(*terms),
            // Somebody may have sought the same before.
            LobbyNews::Seeking(_) if matches!(how, How::Play) => {
                lobby.list(true).await.map_err(lost)?;
                None
            }
            LobbyNews::Complete => match how {
                How::Answer(id) => Some(*id),
                How::Play => lobby.fitting(wish),
                _ => None,
            },
            LobbyNews::OwnInvite => {
                return Err(Failure::Refused(
                    "this is your own invite, which waits in another place: send it to a friend"
                        .into(),
                ));
            }
            LobbyNews::Invited(id) => matches!(how, How::Join(_)).then_some(id),
            LobbyNews::Changed if matches!(how, How::Play) => lobby.fitting(wish),
            LobbyNews::Changed | LobbyNews::Seeking(_) => None,
            LobbyNews::NotPaired(id, why) => match how {
                How::Answer(_) | How::Join(_) => return Err(not_paired(id, why)),
                How::Play => lobby.fitting(wish),
                How::Seek | How::Invite { .. } => None,
            },
            LobbyNews::Elsewhere => {
                return Err(Failure::Refused(
                    "the same guest or account seeks a game in another place now".into(),
                ));
            }
            LobbyNews::Busy => {
                return Err(Failure::Other(
                    "the lobby of the relay is full: try again later".into(),
                ));
            }
        };
        if let Some(id) = id
            && !lobby.answer(id).await.map_err(lost)?
        {
            return Err(not_paired(id, NotPaired::Gone));
        }
    }
}

fn lost(error: LobbyError) -> Failure {
    Failure::Other(error.to_string())
}

fn not_paired(id: u64, why: NotPaired) -> Failure {
    let why = match why {
        NotPaired::Taken => "somebody else was faster",
        NotPaired::Gone => "it is not there any more",
        NotPaired::Declined => "it was declined",
        NotPaired::Silent => "the other program does not answer",
    };
    Failure::Refused(format!("seek {id} makes no game: {why}"))
}

async fn list(player: Player, out: &mut Output) -> Result<(), Failure> {
    let mut lobby = player.enter().await?;
    lobby.list(false).await.map_err(lost)?;
    while lobby.next().await.map_err(lost)? != LobbyNews::Complete {}
    let mut is_empty = true;
    for (id, seek) in lobby.seeks() {
        is_empty = false;
        out.say(Said::Notice(&line(id, seek)))?;
    }
    if is_empty {
        out.say(Said::Notice("nobody seeks a game"))?;
    }
    Ok(())
}

fn line(id: u64, signed: &SignedSeek) -> String {
    let seek = &signed.seek;
    let turn = match seek.side {
        Side::Random => "either moves first",
        Side::First => "you move second",
        Side::Second => "you move first",
    };
    let program = if seek.program { ", a program" } else { "" };
    let account = who(seek.party.account());
    let mut terms = seek.shape.to_string();
    if seek.pie_rule {
        terms.push_str(", pie rule");
    }
    if let Some(clock) = seek.clock {
        terms.push_str(&format!(", clock {clock}"));
    }
    if seek.pool != 0 {
        terms.push_str(&format!(", pool {}", PoolName(seek.pool)));
    }
    format!("{id:>5}  {terms}, {turn}, {account}{program}")
}

#[cfg(test)]
mod tests {
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
        let wish = Wish {
            shape: Shape::STANDARD.into(),
            pie_rule: true,
            pool: 2,
            clock: None,
            side: Side::Random,
        };
        assert_eq!(
            waiting(&wish, &How::Seek),
            "waiting for an opponent: 7x6, line 4, pie rule, pool pie; Ctrl-C leaves"
        );
    }

    #[test]
    fn a_friend_joins_by_the_link_or_by_its_code() {
        let code = "00112233445566778899aabbccddeeff";
        let link = format!("{}/{JOIN}{code}", page_of("wss://relay.example/"));
        assert_eq!(link, format!("https://relay.example/#join={code}"));
        assert_eq!(page_of("ws://127.0.0.1:4404"), "http://127.0.0.1:4404");
        assert_eq!(page_of("https://host.example"), "https://host.example");
        let with_host = format!("https://a.example/?host=https%3A%2F%2Fb.example#join={code}");
        for text in [code, &link, &with_host] {
            assert_eq!(invite(text).map(hex::encode).unwrap(), code);
        }
        for text in ["", "https://host.example/", &code[1..], &format!("{link}0")] {
            assert!(invite(text).is_err(), "{text}");
        }
    }
}
