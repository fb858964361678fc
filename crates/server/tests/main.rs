//! The tests of this crate, in one program: linking each file by itself takes longer than compiling it.

mod elsewhere;
mod host;
mod people;
mod plain_games;
mod relay;
mod served;
mod variant_games;
mod variant_requests;
mod variant_tables;
mod wallet;
