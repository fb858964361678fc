//! `web/ask.d.ts`: what the page asks the module and is answered, made of the types.

use connect4_testing::declarations::{Declarations, compare};
use connect4_wire::{
    Address, Cell, ClassicId, Clock, Colour, End, RunningClock, Score, Shape, Sides,
};
use ts_rs::TypeVisitor as _;

use crate::request::{Answers, Requests};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/ask.d.ts");
const HEAD: &str = "\
// What the page asks its module of WebAssembly, and what that answers, made of its Rust types.
// Not edited by hand: `CONNECT4_WRITE_WIRE=1 cargo test --package connect4-browser declarations`
// writes it again.
";

fn declarations() -> alloc::string::String {
    let mut declarations = Declarations::default();
    macro_rules! import {
        ($($shared:ty),* $(,)?) => { $(declarations.import::<$shared>();)* };
    }
    import![
        Address,
        Cell,
        ClassicId,
        Clock,
        Colour,
        End,
        RunningClock,
        Score,
        Shape,
        Sides<bool>,
        Sides<u32>,
        Sides<Address>,
    ];
    declarations.visit::<Requests>();
    declarations.visit::<Answers>();
    declarations.visit::<crate::failure::Failure>();
    declarations.text(HEAD, "./wire.d.ts")
}

#[test]
fn the_declarations_of_the_page_are_those_of_the_types() {
    compare(FILE, &declarations(), "connect4-browser");
}
