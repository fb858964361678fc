//! The commands, a file each; those of variants alone are in `variants`. A command reaches the chain, works there and reports what happened.

mod accept;
mod accounts;
mod challenge;
mod challenges;
mod close;
mod deploy;
mod draw;
mod drop;
mod end;
mod fast;
mod following;
mod free;
mod guard;
mod host;
mod list;
mod make_move;
mod node;
mod page;
mod play;
mod relay;
mod rematch;
mod replay;
mod review;
mod seated;
mod serve;
mod show;
mod signed;
mod standings;
mod start;
mod variants;
mod watch;
mod withdraw;

use crate::args::{Command, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::play::Screen;

/// Executes a command.
pub async fn execute(
    global: &Global,
    command: &Command,
    screen: &mut dyn Screen,
    farewell: &Farewell,
) -> Result<(), Failure> {
    match command {
        Command::Play(args) => play::play(global, args, screen, farewell).await,
        Command::Serve(args) => serve::serve(global, args, screen).await,
        Command::Host(args) => host::host(global, args, screen).await,
        Command::Page(args) => page::page(args, screen),
        Command::Relay(args) => relay::relay(global, args, screen).await,
        Command::Guard(args) => guard::guard(global, args, screen).await,
        Command::Node(args) => node::node(global, args).await,
        Command::Deploy(args) => deploy::deploy(global, args, screen).await,
        Command::Start(args) => start::start(global, args, screen).await,
        Command::Drop(args) => drop::drop(global, args, screen).await,
        Command::Move(args) => make_move::make_move(global, args, screen).await,
        Command::Table(args) => variants::open_table(global, args, screen, farewell).await,
        Command::Tables(args) => variants::tables(global, args, screen).await,
        Command::Join(args) => variants::join(global, args, screen, farewell).await,
        Command::Leave(args) => variants::leave_command(global, args, screen).await,
        Command::Show(args) => show::show(global, args, screen).await,
        Command::List(args) => list::list(global, args, screen).await,
        Command::Watch(args) => watch::watch(global, args, screen).await,
        Command::Replay(args) => replay::replay(global, args, screen).await,
        Command::Review(args) => review::review(global, args, screen).await,
        Command::Challenge(args) => challenge::challenge(global, args, screen, farewell).await,
        Command::Challenges(args) => challenges::challenges(global, args, screen).await,
        Command::Accept(args) => accept::accept(global, args, screen, farewell).await,
        Command::Decline(args) => close::decline(global, args, screen).await,
        Command::Cancel(args) => close::cancel(global, args, screen).await,
        Command::Resign(args) => end::resign(global, args, screen).await,
        Command::Claim(args) => end::claim(global, args, screen).await,
        Command::Draw(args) => draw::draw(global, args, screen).await,
        Command::Rematch(args) => rematch::rematch(global, args, screen).await,
        Command::Withdraw(args) => withdraw::withdraw(global, args, screen).await,
        Command::Free(args) => free::free(global, args, screen).await,
        Command::Standings(args) => standings::standings(global, args, screen).await,
        Command::Accounts => accounts::accounts(global, screen).await,
    }
}
