//! The JSON that `--json` prints, for the help. A test holds it to what is printed.

/// What is printed at some occasion.
pub struct Entry {
    /// Commands, types or events that print the same, separated by commas.
    pub names: &'static str,
    /// Fields, separated by commas: `name`, `name: Type` or `name: {fields}`. Empty if the note
    /// says it all.
    pub fields: &'static str,
    /// More about it; may be empty.
    pub note: &'static str,
}

const fn entry(names: &'static str, fields: &'static str, note: &'static str) -> Entry {
    Entry {
        names,
        fields,
        note,
    }
}

const INTRODUCTION: &str = "\
With --json every result is one object per line. Amounts are decimal strings in the token's smallest
unit, addresses and hashes are strings, times are in seconds. Players are \"red\" or \"blue\", in
variants also \"green\" and \"yellow\". Bins and rows count from 0. Missing values are null. Errors are
{error, status} on standard error.";

/// Objects by command.
pub const COMMANDS: &[Entry] = &[
    entry(
        "deploy",
        "contract, games, fast, deployer, upload: Receipt, fast_upload: Receipt, \
         transaction: Receipt, variants, variants_transaction: Receipt",
        "null if it was deployed already",
    ),
    entry(
        "start",
        "game, contract, red, blue, shape: Shape, transaction: Receipt",
        "a report for a variant",
    ),
    entry("drop", "bin, row, game: Game, transaction: Receipt", ""),
    entry(
        "show",
        "",
        "Game with match: Match and owed: {red, blue}, the amounts that the players can withdraw; \
         or Variant",
    ),
    entry(
        "list",
        "",
        "Game, then Variant, then the report owed for each account with a credit",
    ),
    entry("tables", "", "Variant"),
    entry(
        "watch",
        "",
        "with --game first Game or Variant; then events, and the reports away and back",
    ),
    entry("replay", "", "events"),
    entry(
        "review",
        "turn, player, bin, made: Worth, best: Worth, best_bins",
        "",
    ),
    entry("challenges", "", "Challenge"),
    entry(
        "standings",
        "games, account, wins, draws, losses, rated, rating, complete",
        "games is \"classic\", \"two\" for variants of two players or \"more\" for those of three \
         and four; Unrated follows if some of these games are not rated, Incomplete if events are \
         missing",
    ),
    entry("accounts", "name, account, address, balance, mapped", ""),
    entry("others", "", "reports"),
];

/// Objects by the name of their type.
pub const TYPES: &[Entry] = &[
    entry(
        "Game",
        "game, contract, shape: Shape, turns, to_move, over, end, winner, \
         winning_cells: {bin, row}, board, red, blue, payer, \
         clock: {deadline, waiting, increment}",
        "end is \"line\", \"full board\", \"resignation\", \"agreement\", \"timeout\" or \
         \"abort\"; winning_cells is a list of cells, board a list of bins from the left, each a \
         list of its discs from the bottom; the deadline is in seconds since 1970, waiting is the \
         remaining time of the opponent",
    ),
    entry(
        "Match",
        "clock: Clock, stake, prize, settled, draw_offer, rematch_offer, previous, next, \
         score: {red, blue, draws}",
        "",
    ),
    entry(
        "Challenge",
        "challenge, challenger, opponent, challenger_first, shape: Shape, clock: Clock, stake, \
         expires, key, prize, warnings",
        "prize is the amount that the winner gets, warnings a list of sentences; key is the \
         session key of the challenger, null if it is not a fast game",
    ),
    entry(
        "Variant",
        "game, contract, terms: Terms, turns, to_move, over, end, winner, \
         winning_cells: {bin, row}, board, players: {colour, powers: Powers, left}, swapped, \
         started, named, seats: {colour, account, name, joined}, payer, deadline",
        "a game of a variant, or a table if the game has not started; game is a string such as \
         \"v3\", end is \"line\", \"last left\", \"no move\", \"turn limit\" or \"abandoned\", a \
         bin of the board has null for gaps under floating discs",
    ),
    entry(
        "Terms",
        "shape: Shape, players, pop_out, pie_rule, powers: Powers, limit",
        "",
    ),
    entry(
        "Unrated",
        "unrated, other_board, frequent, short, aborted",
        "numbers of games that are not rated, by reason; unrated is \"classic\", \"two\" or \
         \"more\", as games in standings",
    ),
    entry(
        "Incomplete",
        "incomplete, missing: {first, last, since, until}, recorded, lost",
        "incomplete is \"classic\" or \"variants\"; missing is a list of ranges of blocks; \
         recorded is the number of games that are counted from the contract's storage, lost the \
         number of games that are not counted",
    ),
    entry("Powers", "take, clear, float", ""),
    entry(
        "Change",
        "added: {colour, bin, row}, removed: {colour, bin, row}, \
         fallen: {colour, from: {bin, row}, to: {bin, row}}",
        "lists of discs, in the order in which they change: removed, fallen, added",
    ),
    entry("Shape", "bins, capacity, line", ""),
    entry("Clock", "bank, increment", ""),
    entry(
        "Receipt",
        "block, block_hash, hash, index, fee, deposit",
        "a negative deposit was returned",
    ),
    entry(
        "Worth",
        "",
        "{wins_in} or {loses_in}: a number of discs of the winner; {chance}: from 0 to 1; or \
         \"draw\"",
    ),
];

/// Fields that follow `event` in reports, by event.
pub const REPORTS: &[Entry] = &[
    entry(
        "serving",
        "url, key",
        "the page, and the key for full access to it",
    ),
    entry(
        "page_written",
        "files, sha256",
        "the number of files, and the checksum of index.html",
    ),
    entry("hosting", "url", "the page of a public host"),
    entry("relaying", "url", "the relay"),
    entry(
        "away",
        "url",
        "the node is unreachable, and `play` or `watch` waits for it",
    ),
    entry(
        "back",
        "url, seconds",
        "the node is reachable again, after this time",
    ),
    entry("raised", "what", ""),
    entry("game", "game: Game", ""),
    entry(
        "dropped",
        "player, bin, row, game: Game, transaction: Receipt",
        "",
    ),
    entry(
        "taken_back",
        "count, game: Game",
        "the blocks of this number of last moves were replaced; game is the state before them; in \
         `watch --best` an event of the contracts",
    ),
    entry(
        "fast",
        "signed, on_chain, relay, opponent",
        "of a fast game: the number of moves that both players have signed, and of moves on the \
         chain; whether the relay is connected, and the opponent to the relay",
    ),
    entry("refused", "player, reason", ""),
    entry("note", "text", ""),
    entry(
        "challenge",
        "challenge, contract, terms: Challenge, transaction: Receipt",
        "",
    ),
    entry(
        "signed_challenge",
        "text",
        "the text with which the opponent accepts the challenge",
    ),
    entry(
        "accepted",
        "challenge, game: Game, transaction: Receipt",
        "",
    ),
    entry("rematch", "game: Game, transaction: Receipt", ""),
    entry("ended", "winner, game: Game, transaction: Receipt", ""),
    entry(
        "owed",
        "account, amount, games",
        "the amount that `withdraw` pays to the account; games is a list of the games that it \
         settles first",
    ),
    entry("withdrawn", "account, amount, transaction: Receipt", ""),
    entry(
        "declined, cancelled, draw_offered, draw_declined, rematch_offered, rematch_declined, \
         freed",
        "transaction: Receipt",
        "",
    ),
    entry(
        "variant_started, table_opened",
        "game: Variant, transaction: Receipt",
        "",
    ),
    entry("variant", "game: Variant", ""),
    entry(
        "joined",
        "account, seat, game: Variant, transaction: Receipt",
        "",
    ),
    entry(
        "left",
        "account, late, game: Variant, transaction: Receipt",
        "",
    ),
    entry(
        "table_closed, variant_freed",
        "game, transaction: Receipt",
        "",
    ),
    entry(
        "moved",
        "player, kind, bin, row, text, change: Change, game: Variant, transaction: Receipt",
        KINDS,
    ),
    entry("variant_taken_back", "count, game: Variant", ""),
    entry("move_refused", "player, reason", ""),
    entry(
        "variant_ended",
        "winner, game: Variant, transaction: Receipt",
        "",
    ),
];

const KINDS: &str = "kind is \"drop\", \"pop\", \"take\", \"clear\", \"float\" or \"swap\"; bin \
                     and row if the kind has them";

/// Fields that follow `event` in events of the contracts, by event. [`PLACE`] comes after them.
pub const EVENTS: &[Entry] = &[
    entry("started", "red, blue, shape: Shape", ""),
    entry("dropped", "player, bin, row, turn, deadline", ""),
    entry("ended", "winner, end, winning_cells: {bin, row}", ""),
    entry(
        "challenge",
        "challenge, challenger, opponent, challenger_first, shape: Shape, clock: Clock, stake, \
         expires, key",
        "",
    ),
    entry(
        "challenge_withdrawn",
        "challenge, by, challenger, stake",
        "",
    ),
    entry("match", "challenge, previous, clock: Clock, stake", ""),
    entry(
        "session_keys",
        "red, blue",
        "of a fast game: the keys that sign its moves",
    ),
    entry(
        "advanced",
        "moves",
        "of a fast game: signed moves were submitted to the chain; moves is a list of the bins of \
         all moves so far",
    ),
    entry("clock_pressed", "by, deadline", ""),
    entry("draw_offered, draw_declined, rematch_offered", "by", ""),
    entry(
        "settled",
        "red, blue",
        "amounts that are credited to the players",
    ),
    entry("rematch_declined", "by, offered_by, stake", ""),
    entry("credited", "account, amount", ""),
    entry("withdrawn", "account, receiver, amount", ""),
    entry("freed", "payer", ""),
    entry("table_opened", "opener, players, terms: Terms", ""),
    entry("joined", "account, seat", ""),
    entry("left", "account, player, late, deadline", ""),
    entry("table_closed", "opener", ""),
    entry("variant_started", "players, terms: Terms, deadline", ""),
    entry(
        "moved",
        "account, player, kind, bin, row, text, turn, deadline",
        "",
    ),
    entry(
        "variant_ended",
        "account, winner, end, winning_cells: {bin, row}",
        "",
    ),
    entry("variant_freed", "payer", ""),
    entry(
        "taken_back",
        "what",
        "of `watch --best`: the block of the event `what`, which was printed before, was replaced",
    ),
];

/// Fields of every event; `game` is left out of events of challenges and accounts.
pub const PLACE: &str = "game, block, block_hash, index";

/// The JSON in words.
pub fn text() -> String {
    let mut text = INTRODUCTION.to_owned();
    let event_title =
        format!("Events are {{event, ..., {PLACE}}}; game is left out if there is none:");
    for (title, entries) in [
        ("By command:", COMMANDS),
        ("Types:", TYPES),
        ("Reports are {event, ...}:", REPORTS),
        (&event_title, EVENTS),
    ] {
        text.push_str(&format!("\n\n{title}"));
        for entry in entries {
            text.push_str(&laid_out(entry));
        }
    }
    text
}

/// The lines of an entry: the names at the left, the rest wrapped beyond them.
fn laid_out(entry: &Entry) -> String {
    const NAMES: usize = 12;
    const WIDTH: usize = 100;
    let mut words = match (entry.fields, entry.note) {
        ("", note) => note.to_owned(),
        (fields, "") => format!("{{{fields}}}"),
        (fields, note) => format!("{{{fields}}}; {note}"),
    };
    let mut text = format!("\n  {:<NAMES$} ", entry.names);
    if entry.names.len() > NAMES {
        text = format!("\n  {}\n{:NAMES$}   ", entry.names, "");
    }
    let room = WIDTH - NAMES - 3;
    while words.len() > room {
        let at = words[..room].rfind(' ').unwrap_or(room);
        let rest = words.split_off(at);
        text.push_str(&format!("{words}\n{:NAMES$}  ", ""));
        words = rest;
    }
    text + &words
}
