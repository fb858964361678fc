//! The lobby, and rooms of signed games, with a real relay, its log on the disk, and real sockets.

mod acts;
mod cases;
mod crowds;
mod damage;
mod floods;
mod keys;
mod listing;
mod offers;
mod plays;
mod rooms;
pub mod table;
mod walks;
mod world;
