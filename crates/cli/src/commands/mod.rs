//! The commands, a file each. A command reaches the chain, works there and says what happened.

mod accounts;
mod bot;
mod consent;
mod deploy;
mod end;
mod evaluate;
mod export;
mod following;
mod free;
mod guard;
mod guard_stakes;
pub mod guest;
mod help;
mod host;
mod list;
mod make_move;
mod node;
mod offer;
mod page;
mod play;
mod puzzle;
mod record;
mod relay;
mod replay;
mod review;
mod seek;
mod serve;
mod show;
pub mod sitting;
mod sponsor;
mod standings;
mod start;
mod table;
mod verify;
mod watch;
mod withdraw;

use crate::args::{Command, Global};
use crate::failure::Failure;
use crate::farewell::Farewell;
use crate::output::Output;

pub async fn execute(
    global: &Global,
    command: &Command,
    out: &mut Output,
    farewell: &Farewell,
) -> Result<(), Failure> {
    match command {
        Command::Play(args) => play::play(global, args, out, farewell).await,
        Command::Serve(args) => serve::serve(global, args, out).await,
        Command::Host(args) => host::host(global, args, out).await,
        Command::Page(args) => page::page(args, out),
        Command::Help { topic } => help::help(topic.as_deref()),
        Command::Completions { shell } => help::completions(*shell),
        Command::Man { folder } => help::man(folder),
        Command::Relay(args) => relay::relay(global, args, out).await,
        Command::Seek(args) => seek::seek(global, args, out, farewell).await,
        Command::Bot(args) => bot::bot(global, args, out).await,
        Command::Record(args) if args.follow => sponsor::sponsor(global, args, out).await,
        Command::Record(args) => record::record(global, args, out).await,
        Command::Export(args) => export::export(global, args, out).await,
        Command::Verify(args) => verify::verify(global, args, out).await,
        Command::Guest(args) => guest::guest(global, args, out),
        Command::Guard(args) => guard::guard(global, args, out).await,
        Command::Node(args) => node::node(global, args).await,
        Command::Deploy(args) => deploy::deploy(global, args, out).await,
        Command::Start(args) => start::start(global, args, out).await,
        Command::Move(args) => make_move::make_move(global, args, out).await,
        Command::Table(args) => table::open_table(global, args, out, farewell).await,
        Command::Tables(args) => table::tables(global, args, out).await,
        Command::Join(args) => table::join(global, args, out, farewell).await,
        Command::Leave(args) => end::leave(global, args, out).await,
        Command::Show(args) => show::show(global, args, out).await,
        Command::List(args) => list::list(global, args, out).await,
        Command::Watch(args) => watch::watch(global, args, out).await,
        Command::Replay(args) => replay::replay(global, args, out).await,
        Command::Evaluate(args) => evaluate::evaluate(args, out).await,
        Command::Review(args) => review::review(global, args, out).await,
        Command::Puzzle(args) => puzzle::puzzle(global, args, out).await,
        Command::Resign(args) => end::resign(global, args, out).await,
        Command::Claim(args) => end::claim(global, args, out).await,
        Command::Withdraw(args) => withdraw::withdraw(global, args, out).await,
        Command::Free(args) => free::free(global, args, out).await,
        Command::Standings(args) => standings::standings(global, args, out).await,
        Command::Accounts => accounts::accounts(global, out).await,
    }
}
