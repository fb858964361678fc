//! `seek`, and `play --guest`: a game by signed terms against somebody at a relay.

use connect4_client::fast::{
    Identity, Invite, Keyring, KeyringError, Lobby, LobbyError, LobbyNews, LockedKey, NotPaired,
    OpenGame, Side, Wish,
};
use connect4_protocol::fast::SignedTerms;
use connect4_protocol::fast::lobby::SignedSeek;

use crate::args::{Board, Global, Play, Relaying, Seek, Turn};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::place::Place;
use crate::play::fast::relay_url;
use crate::play::signed::{self, SignedTable};
use crate::said::Said;
use crate::words::who;

/// How a player finds an opponent.
enum How {
    /// The first who seeks the same, or who answers.
    Play,
    /// Anyone who answers.
    Seek,
    /// The friend who has this code, who joins.
    Invite(Invite),
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
        (None, None) if args.invite => How::Invite(rand::random()),
        (None, None) => How::Seek,
    };
    let side = match args.turn {
        Turn::Random => Side::Random,
        Turn::First => Side::First,
        Turn::Second => Side::Second,
    };
    let wish = wish(args.board, side)?;
    let guest = Guest::open(global, args.relay.clone())?;
    if args.resume {
        return guest.resume(args.series, out, farewell).await;
    }
    if args.list {
        return list(guest, out).await;
    }
    guest.play(&wish, how, args.series, out, farewell).await
}

/// Plays against the first who fits.
pub async fn play(
    global: &Global,
    args: &Play,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    let wish = wish(args.terms.board, Side::Random)?;
    let guest = Guest::open(global, args.relaying.relay.clone())?;
    guest
        .play(&wish, How::Play, args.series, out, farewell)
        .await
}

fn wish(board: Board, side: Side) -> Result<Wish, Failure> {
    Ok(Wish {
        shape: board.shape()?,
        pie_rule: false,
        pool: 0,
        clock: None,
        side,
    })
}

/// The code of an invite, as people pass it on.
fn invite(code: &str) -> Result<Invite, Failure> {
    let mut invite = Invite::default();
    let read = hex::decode_to_slice(code, &mut invite);
    read.map_err(|_| Failure::Usage("the code of an invite has 32 hexadecimal digits".into()))?;
    Ok(invite)
}

/// A guest on this machine, and the relay.
struct Guest {
    keyring: Keyring,
    key: LockedKey,
    url: String,
}

impl Guest {
    /// The guest whose key is kept on this machine; a new one if there is none.
    fn open(global: &Global, relay: Option<String>) -> Result<Self, Failure> {
        let Place::Folder(folder) = Place::folder(global)? else {
            return Err(Failure::Usage(
                "a guest needs a folder: name one with --data".into(),
            ));
        };
        let relaying = Relaying {
            relay,
            no_relay: false,
        };
        let url = relay_url(&relaying, Some(&folder));
        let url = url.ok_or_else(|| Failure::Usage("name a relay with --relay".into()))?;
        let keyring = Keyring::in_folder(folder.join("guest"));
        let known = keyring.addresses().map_err(failed)?.first().copied();
        let address = match known {
            Some(address) => address,
            None => keyring.create_guest().map_err(failed)?.address(),
        };
        let key = keyring.open_guest(address).map_err(failed)?;
        Ok(Self { keyring, key, url })
    }

    async fn enter(&self) -> Result<Lobby, Failure> {
        let identity = Identity::guest(self.key.key().clone());
        Lobby::enter(&self.url, identity).await.map_err(lost)
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
        let you = who(self.key.key().address());
        out.say(Said::Notice(&format!("you are the guest {you}")))?;
        if let How::Invite(invite) = &how {
            let code = hex::encode(invite);
            let url = &self.url;
            let text =
                format!("your friend joins with\n  connect4 seek --relay {url} --join {code}");
            out.say(Said::Notice(&text))?;
        }
        out.progress().say("waiting for an opponent");
        let paired = pair(&mut lobby, wish, &how).await;
        out.progress().clear();
        let terms = paired?;
        drop(lobby);
        let game = OpenGame {
            terms,
            domain,
            relay: self.url,
        };
        let table = SignedTable::begin(game, self.key, self.keyring.games_by_terms())?;
        signed::play(table, series, out, farewell).await
    }

    /// Resumes the game that was begun last, at the relay that is named, or where it was.
    async fn resume(
        self,
        series: bool,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let games = self.keyring.games_by_terms();
        let game = games.latest_open().map_err(failed)?;
        let game = game.ok_or_else(|| Failure::Refused("no game goes on".into()))?;
        let game = OpenGame {
            relay: self.url,
            ..game
        };
        let table = SignedTable::resume(game, self.key, games)?;
        signed::play(table, series, out, farewell).await
    }
}

fn failed(error: KeyringError) -> Failure {
    Failure::Other(error.to_string())
}

/// Waits until there is an opponent.
async fn pair(lobby: &mut Lobby, wish: &Wish, how: &How) -> Result<SignedTerms, Failure> {
    match how {
        How::Play | How::Seek => lobby.seek(wish, None).await.map_err(lost)?,
        How::Answer(_) => lobby.list(false).await.map_err(lost)?,
        How::Invite(invite) => lobby.seek(wish, Some(*invite)).await.map_err(lost)?,
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
            LobbyNews::Invited(id) => matches!(how, How::Join(_)).then_some(id),
            LobbyNews::Changed if matches!(how, How::Play) => lobby.fitting(wish),
            LobbyNews::Changed | LobbyNews::Seeking(_) => None,
            LobbyNews::NotPaired(id, why) => match how {
                How::Answer(_) | How::Join(_) => return Err(not_paired(id, why)),
                How::Play => lobby.fitting(wish),
                How::Seek | How::Invite(_) => None,
            },
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

/// Lists what others seek.
async fn list(guest: Guest, out: &mut Output) -> Result<(), Failure> {
    let mut lobby = guest.enter().await?;
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
    format!("{id:>5}  {}, {turn}, {account}{program}", seek.shape)
}
