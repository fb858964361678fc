//! Rooms of signed games, with a real relay, its log on the disk, and real sockets.

mod damage;
mod floods;
mod rooms;
mod table;
mod walks;
