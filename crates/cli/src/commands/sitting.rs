//! A player of signed games at this terminal: who it is, where the rooms are, and its games one after the other.

use std::time::Duration;

use connect4_client::signed::{
    How, Lobby, LobbyError, LobbyNews, PairingError, Search, Seeker, SignedError, SignedGames,
    SignedPlayer, Sought, pair, search,
};
use connect4_client::{Signer, Stakes};
use connect4_protocol::signed::Terms;
use connect4_protocol::signed::relay::Refusal;
use connect4_wire::words::now;
use tokio::time::timeout;

use super::guest::{Identified, failed};
use crate::args::{Global, Signing};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;
use crate::place::Place;
use crate::play::table::{self, Played, Table, without};
use crate::play::turn::Typed;
use crate::play::{funding, is_yes, seeking};
use crate::said::Said;
use crate::session::{Session, lookup};
use crate::words::quoted;

/// How long the answer to a rematch is waited for.
const REMATCH: Duration = Duration::from_secs(60);
/// For how long an offer of a rematch stands, in seconds.
const STANDS: u64 = 10 * 60;

/// A player at this terminal, and where the rooms are.
pub struct Sitting {
    pub who: Identified,
    pub relay: String,
    /// The command that resumes a game.
    pub resumed_by: String,
    /// Whether a rematch is asked for without a terminal, too.
    pub is_series: bool,
    /// The chain, and the contract that holds the stakes; none if no game with a stake is played.
    staking: Option<Staking>,
}

/// The chain of games with a stake. It closes when this is dropped, if it runs in this process.
struct Staking {
    session: Session,
    stakes: Stakes,
}

impl Sitting {
    /// The guest of this machine, or the account that the command line names, at this relay.
    pub fn at(
        global: &Global,
        account: Option<Signer>,
        signing: &Signing,
        relay: String,
        is_series: bool,
    ) -> Result<Self, Failure> {
        let place = Place::folder(global)?.options();
        let resumed_by = resumed_by(&relay, signing, &place);
        let who = match account {
            Some(account) => Identified::account(global, account),
            None => Identified::guest(global),
        }?;
        Ok(Self {
            who,
            relay,
            resumed_by,
            is_series,
            staking: None,
        })
    }

    /// Reaches the chain, and the contract there that holds stakes: one with the code that this program has. The account
    /// pays, so that a guest is refused.
    pub async fn reach_stakes(
        &mut self,
        global: &Global,
        signing: &Signing,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let account = self.who.account.as_ref().filter(|_| !self.who.is_guest);
        let account = account.ok_or_else(|| {
            Failure::Usage(
                "a game with a stake is paid by an account: name it by --secret-file or --account. A guest's key is in \
                 a file, which is no place for money"
                    .into(),
            )
        })?;
        let session = Session::open(global, false, out).await?;
        let lookup = lookup(global);
        let stakes = lookup.open_stakes(&session.client, Some(account)).await?;
        session.endure(out);
        let place = match &session.place {
            place @ Place::Url(_) => place.options(),
            _ => Place::folder(global)?.options(),
        };
        self.resumed_by = resumed_by(&self.relay, signing, &place);
        self.staking = Some(Staking { session, stakes });
        Ok(())
    }

    fn needed_staking(&self) -> Result<&Staking, Failure> {
        let staking = self.staking.as_ref();
        staking.ok_or_else(|| Failure::Usage("a stake needs a chain".into()))
    }

    /// The contract that holds the stakes, for a game that has one.
    pub fn needed_stakes(&self) -> Result<&Stakes, Failure> {
        self.needed_staking().map(|staking| &staking.stakes)
    }

    /// The contract that holds the stakes; none if no game with a stake is played.
    pub fn stakes(&self) -> Option<&Stakes> {
        self.staking.as_ref().map(|staking| &staking.stakes)
    }

    /// A stake in the chain's token, in the unit that contracts see.
    pub fn parse_stake(&self, text: &str) -> Result<u128, Failure> {
        let token = self.needed_staking()?.session.client.token();
        let amount = token.parse(text);
        let amount = amount.map_err(|error| Failure::Usage(error.to_string()))?;
        match token.in_unit_of_contracts(amount) {
            0 => Err(Failure::Usage(
                "a stake is more than nothing: leave out --stake".into(),
            )),
            stake => Ok(stake),
        }
    }

    /// Whether a game with a stake, or an offer of one, goes on here.
    pub fn has_stakes(&self) -> Result<bool, Failure> {
        let key = self.who.key.key().address();
        let open = self.games().open_of(key, now()).map_err(failed)?;
        Ok(open
            .iter()
            .any(|(_, kept)| kept.record.offer.terms.stake > 0))
    }

    pub fn games(&self) -> SignedGames {
        SignedGames::beside(&self.who.keyring)
    }

    /// The same for who looks for an opponent in the lobby.
    pub fn seeker(&self) -> Seeker {
        Seeker {
            stakes: self.stakes().cloned(),
            ..self.who.seeker(&self.relay)
        }
    }

    pub async fn enter(&self) -> Result<Lobby, Failure> {
        let entered = Lobby::enter(&self.relay).await;
        entered.map_err(|error| match error {
            LobbyError::Lost(why) => Failure::Other(format!(
                "the relay {} is not reachable: {why}; check its URL, or run one by `connect4 relay`",
                self.relay
            )),
            LobbyError::Refused(Refusal::BadMessage) => Failure::Refused(format!(
                "the relay {} has no lobby of signed games",
                self.relay
            )),
            error => Failure::Other(error.to_string()),
        })
    }

    /// Finds an opponent, and plays.
    pub async fn seek(
        &self,
        lobby: &mut Lobby,
        sought: &Sought,
        how: How,
        waiting: &str,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        let (seeker, mut typed) = (self.seeker(), Typed::begin(out));
        let (following, searching) = Search::begin();
        let waiting = seeking::Waiting {
            said: waiting,
            is_open: matches!(how, How::Play(_)) && sought.terms.stake == 0,
            stakes: self.stakes(),
        };
        let paired = search(lobby, &seeker, *sought, how, searching);
        let found = seeking::found(following, paired, waiting, &mut typed, out).await?;
        let player = found.map_err(not_paired)?;
        self.play_on(player, &mut typed, out, farewell).await
    }

    /// Resumes the game that was begun last and goes on; first one whose stake is at risk, while nobody has taken an offer
    /// that was made since. Those that have no result, as the witness says, are passed over.
    pub async fn resume(&self, out: &mut Output, farewell: &Farewell) -> Result<(), Failure> {
        let key = self.who.key.key().address();
        let mut open = self.games().open_of(key, now()).map_err(failed)?;
        open.sort_by_key(|(_, kept)| kept.record.offer.terms.stake > 0 && kept.has_begun());
        let (seeker, mut typed) = (self.seeker(), Typed::begin(out));
        for (name, kept) in open.into_iter().rev() {
            // Of another account, or a guest's: it is told in words when it is resumed by that one.
            if kept.record.offer.terms.stake > 0 && self.staking.is_none() {
                continue;
            }
            let player = SignedPlayer::resume(seeker.around(None, 0), name).map_err(refused)?;
            match self.play(player, &mut typed, out, farewell).await? {
                Played::Without(why) => out.say(Said::Notice(why))?,
                Played::ToTheEnd(player) => {
                    return self.play_again(*player, &mut typed, out, farewell).await;
                }
            }
        }
        let earlier = self.who.earlier.open().map_err(failed)?;
        let named = earlier
            .iter()
            .map(|game| format!("{} ({})", game.number, game.path.display()));
        let named = named.collect::<Vec<_>>().join(" and ");
        Err(Failure::Refused(match named.is_empty() {
            true => "no game goes on".into(),
            false => format!(
                "no game goes on but {named}, which an earlier version of this program began, and which this one does not \
                 play: `connect4 export` and its number write it as text"
            ),
        }))
    }

    /// Plays a game that has begun, and its rematches.
    pub async fn play_on(
        &self,
        player: SignedPlayer,
        typed: &mut Typed,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        match self.play(player, typed, out, farewell).await? {
            Played::Without(why) => Err(Failure::Refused(why.into())),
            Played::ToTheEnd(player) => self.play_again(*player, typed, out, farewell).await,
        }
    }

    async fn play(
        &self,
        mut player: SignedPlayer,
        typed: &mut Typed,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<Played, Failure> {
        let has_stake = player.view().shown.stake > 0;
        if has_stake {
            let resumed_by = &self.resumed_by;
            farewell.set(format!(
                "no game has begun. Wait for it, or have a stake that you have paid back, by\n  {resumed_by}"
            ));
            let why = funding::begun(&mut player, typed, out).await?;
            farewell.clear();
            if let Some(why) = why {
                return Ok(Played::Without(why));
            }
        }
        let terms = self.terms_of(&player)?;
        let contract = self.stakes().filter(|_| has_stake).map(Stakes::address);
        let (relay, resumed_by) = (self.relay.clone(), self.resumed_by.clone());
        if let Some(why) = without(&player.view()) {
            return Ok(Played::Without(why));
        }
        let begun = Table::of(player, terms, (relay, contract), resumed_by);
        let table = begun.ok_or_else(|| Failure::Refused("the game has not begun".into()))?;
        table::play(table, typed, out, farewell).await
    }

    /// Plays rematches as long as both want them.
    async fn play_again(
        &self,
        mut player: SignedPlayer,
        typed: &mut Typed,
        out: &mut Output,
        farewell: &Farewell,
    ) -> Result<(), Failure> {
        while (self.is_series || out.is_terminal()) && !typed.has_ended {
            let Some(next) = self.rematch(&player, typed, out).await? else {
                break;
            };
            match self.play(next, typed, out, farewell).await? {
                Played::Without(why) => return Err(Failure::Refused(why.into())),
                Played::ToTheEnd(played) => player = *played,
            }
        }
        Ok(())
    }

    /// Asks whether a rematch is wanted. Returns it if both want it.
    async fn rematch(
        &self,
        player: &SignedPlayer,
        typed: &mut Typed,
        out: &mut Output,
    ) -> Result<Option<SignedPlayer>, Failure> {
        let shown = player.view().shown;
        let (Some(number), Some(side)) = (shown.number, shown.side) else {
            return Ok(None);
        };
        let offer = player.rematch(now().saturating_add(STANDS)).await;
        let Ok(offer) = offer else {
            // A void game is followed by none.
            return Ok(None);
        };
        let mut lobby = match self.enter().await {
            Ok(lobby) => lobby,
            Err(failure) => {
                out.say(Said::Notice(&format!("no rematch: {failure}")))?;
                return Ok(None);
            }
        };
        lobby.look(How::invites_of(number)[side.opponent()]);
        let question = match shown.stake {
            0 => "rematch, with the colours exchanged? [y/N] ".into(),
            stake => format!(
                "rematch for {} of each, of which {} from what you are owed, with the colours exchanged? [y/N] ",
                out.token().contract_amount(stake),
                out.token().contract_amount(shown.from_owed)
            ),
        };
        let question = &question;
        typed.forget();
        out.question(question)?;
        let answer = loop {
            tokio::select! {
                biased;
                line = typed.next() => break line?.unwrap_or_default(),
                news = lobby.next() => match news {
                    Ok(LobbyNews::Invited(_)) => {
                        out.interrupted()?;
                        out.say(Said::Notice("your opponent wants a rematch"))?;
                        out.question(question)?;
                    }
                    Ok(_) => {}
                    Err(_) => break typed.next().await?.unwrap_or_default(),
                },
            }
        };
        out.answered(&answer)?;
        if !is_yes(&answer) {
            return Ok(None);
        }
        let (sought, how) = (Sought::from(&offer), How::Rematch(number, side));
        let progress = out.progress();
        progress.say("waiting for the opponent; Ctrl-C leaves");
        let seeker = self.seeker();
        let paired = timeout(REMATCH, pair(&mut lobby, &seeker, sought, how));
        let paired = out.wait_for(paired).await?;
        progress.clear();
        match paired {
            Ok(Ok(player)) => Ok(Some(player)),
            Ok(Err(error)) => Err(not_paired(error)),
            Err(_) => {
                out.say(Said::RematchDeclined)?;
                Ok(None)
            }
        }
    }

    fn terms_of(&self, player: &SignedPlayer) -> Result<Terms, Failure> {
        let kept = self.games().peek(player.name()).map_err(failed)?;
        let terms = kept.record.terms;
        terms.ok_or_else(|| Failure::Refused("the game has not begun".into()))
    }
}

/// The command that resumes a game of this account at this relay, in this folder or on this chain.
fn resumed_by(relay: &str, signing: &Signing, place: &str) -> String {
    let (relay, options) = (quoted(relay), signing.options());
    format!("connect4 seek --resume --relay {relay}{options}{place}")
}

/// By how many seconds the clock that shows this time is ahead of this machine's.
pub fn ahead(time: u64) -> i64 {
    let time = i64::try_from(time).unwrap_or(i64::MAX);
    time.saturating_sub_unsigned(now())
}

pub fn refused(error: SignedError) -> Failure {
    Failure::Refused(error.to_string())
}

fn not_paired(error: PairingError) -> Failure {
    match error {
        PairingError::Lobby(_) | PairingError::Busy | PairingError::NoWitness => {
            Failure::Other(error.to_string())
        }
        PairingError::Signed(_)
        | PairingError::NotPaired(_)
        | PairingError::OtherPlace
        | PairingError::OtherOffer
        | PairingError::OwnInvite => Failure::Refused(error.to_string()),
    }
}
