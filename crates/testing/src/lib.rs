//! What the tests of several packages share. For development only: where an expectation does not
//! hold, everything here panics. Open [`local`] first, the chain of most tests.
//!
//! | module | has |
//! |---|---|
//! | [`contracts`] | the code of the built contracts |
//! | [`counting`] | a way to a chain on which requests are counted |
//! | [`crowd`] | strangers who flood a relay |
//! | [`declarations`] | declarations of types for the page's code |
//! | [`documents`] | the README and the pages in `docs/`: their text, and the examples in them
//! | [`english`] | a check of the English in documents, the help and the page
//! | [`dice`] | random numbers |
//! | [`games`] | games with a known end |
//! | [`keys`] | session keys, and wallets that name them |
//! | [`lobby`] | somebody in the lobby of a relay |
//! | [`impostor`] | a contract that has two codes within one block |
//! | [`message`] | data of calls, and answers from their bytes |
//! | [`page_texts`] | texts in the sources of the page that people may read |
//! | [`people`] | the development accounts, and their addresses |
//! | [`malicious`] | a relay that drops, delays, repeats, reorders and forges |
//! | [`postgres`] | a PostgreSQL server of a test's own |
//! | [`local`] | a chain in the test's process, with a clock that the test moves |
//! | [`seen`] | what has to occur in random sequences, and how often it did |
//! | [`sequences`] | random sequences: how many are asked for, played on all processors |
//! | [`served`] | chains that serve their RPC |
//! | [`room`] | a socket in the room of a signed game |
//! | [`socket`] | a socket in a room of a relay |
//! | [`signed`] | signed games, whose players sign |
//! | [`mod@world`] | contracts on such a chain, and calls that must succeed or be refused |
//!
//! Without the feature `chain` there is nothing that needs the local chain, without `postgres` no
//! database server.

#[cfg(feature = "chain")]
pub mod contracts;
pub mod counting;
pub mod crowd;
pub mod declarations;
pub mod dice;
pub mod documents;
pub mod english;
pub mod games;
#[cfg(feature = "chain")]
pub mod impostor;
pub mod keys;
pub mod lobby;
#[cfg(feature = "chain")]
pub mod local;
pub mod malicious;
pub mod message;
pub mod metadata;
pub mod page_texts;
#[cfg(feature = "chain")]
pub mod people;
#[cfg(all(feature = "postgres", unix))]
pub mod postgres;
pub mod room;
pub mod seen;
pub mod sequences;
#[cfg(feature = "chain")]
pub mod served;
pub mod signed;
pub mod socket;
#[cfg(feature = "chain")]
pub mod world;

#[cfg(feature = "chain")]
pub use local::{ContractCall, DryRun, Limits, Local, Refusal};
pub use message::{Input, answer, data};
#[cfg(feature = "chain")]
pub use people::{Account, PEOPLE, address, address_of, who};
pub use seen::{Refusals, Seen, Story};
#[cfg(feature = "chain")]
pub use world::{Done, World};
