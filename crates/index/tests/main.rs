//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

mod common;
mod database;
mod ends;
mod hosts;
mod past;
mod plain;
mod rebuilt;
