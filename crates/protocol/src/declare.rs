//! Definitions of events and messages, for the modules that declare them.

/// Defines events. `$of` makes the name of a game, an `$id`, of the number in a field `game`, if that is the
/// first one. `ink-games` and the like are the features with which the contract that emits the event takes it,
/// so that the metadata of each contract has its own events alone. Types are matched by their names and
/// not as `ty`, in which ink! would not find the names that it shows.
macro_rules! events {
    ($of:path => $id:ty: $(
        $feature:literal
        $(#[$doc:meta])*
        $name:ident {
            $(#[$first_meta:meta])* $first:ident: $first_type:ident,
            $($(#[$meta:meta])* $field:ident: $type:ident $(<$argument:ident>)?,)*
        }
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, codec::Encode, codec::Decode)]
            #[cfg_attr(feature = $feature, derive(ink::Event))]
            #[cfg_attr(all(feature = $feature, feature = "std"), derive(ink::EventMetadata))]
            pub struct $name {
                $(#[$first_meta])*
                pub $first: $first_type,
                $($(#[$meta])* pub $field: $type $(<$argument>)?,)*
            }

            impl $name {
                /// The line whose BLAKE2b-256 hash is the event's first topic.
                pub const DECLARATION: &str = concat!(
                    stringify!($name), "(", stringify!($first_type)
                    $(, ",", stringify!($type) $(, "<", stringify!($argument), ">")?)*, ")"
                );

                /// The game that the event is about; none if it is about an account.
                #[must_use]
                pub const fn game_id(&self) -> Option<$id> {
                    of_game!($first, $of, self)
                }
            }
        )*
    };
}

/// The game of an event, by the name of its first field.
macro_rules! of_game {
    (game, $of:path, $event:ident) => {
        Some($of($event.game))
    };
    ($other:ident, $of:path, $event:ident) => {{
        _ = $event;
        None
    }};
}

/// Defines the enum of all events of contracts whose games have an `$id`.
macro_rules! every_event {
    (
        $(#[$doc:meta])* $event:ident of $id:ty: $($name:ident),*;
    ) => {

        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(clippy::large_enum_variant, reason = "events are read one at a time")]
        pub enum $event {
            $(
                #[doc = concat!("See [`", stringify!($name), "`].")]
                $name($name),
            )*
        }

        $(
            impl From<$name> for $event {
                fn from(event: $name) -> Self {
                    Self::$name(event)
                }
            }
        )*

        impl $event {
            /// The `DECLARATION` of every event.
            pub const DECLARATIONS: &[&str] =
                &[$($name::DECLARATION,)*];

            /// The game that the event is about; none if it is about an account.
            #[must_use]
            pub const fn game(&self) -> Option<$id> {
                match self {
                    $(Self::$name(event) => event.game_id(),)*
                }
            }

            /// The event with this first topic and these data; none if the topic is that of no
            /// event.
            ///
            /// # Errors
            ///
            /// Returned if the data are not the encoding of the event, or longer than one.
            #[cfg(all(feature = "decode", feature = "std"))]
            pub fn decode(topic: &[u8], data: &[u8]) -> Result<Option<Self>, codec::Error> {
                use std::sync::OnceLock;

                type Decode = fn(&[u8]) -> Result<$event, codec::Error>;
                const DECODERS: [(&str, Decode); $event::DECLARATIONS.len()] = [
                    $(($name::DECLARATION, |data| crate::decode_all(data).map($event::$name)),)*
                ];
                // Hashing the declarations for each event takes longer than decoding it.
                static EVENTS: OnceLock<[([u8; 32], Decode); DECODERS.len()]> = OnceLock::new();
                let hashed = |(declaration, decode)| (crate::topic(declaration), decode);
                let events = EVENTS.get_or_init(|| DECODERS.map(hashed));
                let found = events.iter().find(|(known, _)| topic == known);
                found.map(|(_, decode)| decode(data)).transpose()
            }
        }
    };
}

/// Defines messages.
macro_rules! messages {
    ($kind:ident, $list:ident: $(
        $(#[$doc:meta])*
        $type:ident = $name:literal ($($field:ident: $field_type:ty),*) -> $answer:ty;
    )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, Eq, codec::Encode, codec::Decode)]
            #[allow(missing_docs, reason = "the arguments are the contract's, and documented there")]
            pub struct $type { $(pub $field: $field_type),* }

            impl $crate::Message for $type {
                const NAME: &'static str = $name;
                const CONTRACT: $crate::message::ContractKind = $crate::message::ContractKind::$kind;
                type Answer = $answer;
            }
        )*

        /// Names of all messages of this contract.
        pub const $list: &[&str] = &[$($name),*];
    };
}
