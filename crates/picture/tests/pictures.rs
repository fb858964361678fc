//! Pictures, read again.

use ::gif::{ColorOutput, DecodeOptions, Decoder};
use connect4_picture::{Board, MOST_FRAMES, Mark, SIZE, Scene, Theme, escape, gif, png, svg};
use connect4_rules::variant::{Colour, Move, Powers, Variant, VariantSpec};
use connect4_rules::{Bin, Cell, Shape, ShapeSpec, notation};

/// The boards of a game on the standard board.
fn boards(moves: &str) -> Vec<Board> {
    let bins = notation::parse::<Bin>(moves).map(|bin| Move::Drop(bin.expect("a move")));
    Board::of_game(Variant::classic(Shape::STANDARD), bins).expect("legal moves")
}

fn last(moves: &str) -> Board {
    boards(moves).pop().expect("a board")
}

/// A game of four with every power.
fn of_four() -> Vec<Board> {
    let terms = VariantSpec {
        players: 4,
        powers: Powers {
            take: 1,
            clear: 1,
            float: 1,
        },
        ..VariantSpec::classic(Shape::STANDARD)
    };
    let terms = Variant::try_from(terms).expect("terms");
    let drop = |bin| Move::Drop(Bin::new(bin));
    let moves = [
        drop(0),
        drop(1),
        drop(2),
        drop(3),
        Move::Float(Cell::new(5, 3)),
        Move::Take(Cell::new(0, 0)),
        drop(2),
        drop(2),
        Move::Clear(0),
    ];
    Board::of_game(terms, moves).expect("legal moves")
}

fn drawn(board: &Board, players: &[(Colour, String)], theme: Option<Theme>) -> String {
    svg(Scene {
        board,
        players,
        standing: "red to move",
        theme,
    })
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

/// Width, height and colours of a picture, by its rows.
fn pixels(file: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    let (mut rest, mut parts) = (&file[8..], Vec::new());
    while !rest.is_empty() {
        let number = |at: usize| u32::from_be_bytes(rest[at..at + 4].try_into().expect("4 bytes"));
        let length = usize::try_from(number(0)).expect("small");
        let sum = number(8 + length);
        assert_eq!(crc32fast::hash(&rest[4..8 + length]), sum);
        parts.push((&rest[4..8], &rest[8..8 + length]));
        rest = &rest[12 + length..];
    }
    let [
        (b"IHDR", head),
        (b"PLTE", colours),
        (b"IDAT", packed),
        (b"IEND", []),
    ] = parts[..]
    else {
        panic!("other parts");
    };
    let side = |at: usize| u32::from_be_bytes(head[at..at + 4].try_into().expect("4 bytes"));
    let rows = fdeflate::decompress_to_vec(packed).expect("packed");
    let width = usize::try_from(side(0)).expect("small");
    let mut above = vec![0_u8; width];
    let mut pixels = Vec::new();
    for row in rows.chunks(width + 1) {
        assert_eq!(row[0], 2, "of the row above");
        for (above, change) in above.iter_mut().zip(&row[1..]) {
            *above = above.wrapping_add(*change);
        }
        pixels.extend(above.iter().copied());
    }
    let colour = |place: &u8| {
        let at = 3 * usize::from(*place);
        colours[at..at + 3].try_into().expect("a colour")
    };
    (side(0), side(4), pixels.iter().map(colour).collect())
}

#[test]
fn a_position_has_as_many_discs_as_were_dropped() {
    let text = drawn(&last("4435"), &[], None);
    // A hole is a circle with an edge; a red disc is one more circle, and so is the mark of the last disc.
    assert_eq!(count(&text, "<circle class=\"h\""), 42);
    assert_eq!(count(&text, "<circle class=\"a\""), 2);
    assert_eq!(count(&text, "<path class=\"b s\""), 2);
    assert_eq!(count(&text, "<circle class=\"m\""), 1);
    assert_eq!(count(&text, "opacity"), 0);
    assert!(text.contains("<title>red to move</title>"));
    // A width in the style would be that of all shapes, whatever their own is.
    assert!(!text.contains("stroke-width:"));
}

#[test]
fn discs_of_a_small_board_lie_where_they_were_dropped() {
    let drops = [0, 3].map(|bin| Move::Drop(Bin::new(bin)));
    let boards = Board::of_game(Variant::classic(Shape::CLASSROOM), drops);
    let text = drawn(&boards.expect("legal").pop().expect("a board"), &[], None);
    let discs: Vec<&str> = text
        .lines()
        .filter(|line| {
            ["\"a\"", "\"b s\"", "\"m\""]
                .iter()
                .any(|class| line.contains(class))
        })
        .collect();
    // The board of 628 units is in the middle of 708.
    assert_eq!(
        discs,
        [
            r#"<circle class="a" cx="104" cy="388" r="40"/>"#,
            r#"<path class="b s" d="M404.0 351.0 439.2 376.6 425.7 417.9 382.3 417.9 368.8 376.6z" stroke-width="6"/>"#,
            r#"<circle class="m" cx="404" cy="388" r="7"/>"#,
        ]
    );
}

#[test]
fn a_line_is_marked_and_the_rest_fades() {
    let red = last("1212121");
    let text = drawn(&red, &[], None);
    assert_eq!(
        count(&text, "<circle class=\"m s o\""),
        4,
        "rings on four discs"
    );
    assert_eq!(count(&text, "opacity=\"0.42\""), 3);
    let blue = drawn(&last("12121232"), &[], None);
    assert_eq!(count(&blue, "<path class=\"b s o\""), 4, "hollow discs");
    assert_eq!(
        red.disc(Cell::new(0, 3)).map(|disc| disc.mark),
        Some(Mark::Winning)
    );
    assert_eq!(
        red.disc(Cell::new(1, 0)).map(|disc| disc.mark),
        Some(Mark::Faded)
    );
    assert_eq!(red.disc(Cell::new(7, 0)), None);
}

#[test]
fn powers_and_four_colours_are_drawn() {
    let boards = of_four();
    let colour = |turn: usize, bin, row| {
        boards[turn]
            .disc(Cell::new(bin, row))
            .map(|disc| disc.colour)
    };
    assert_eq!(boards.len(), 10);
    assert_eq!(colour(4, 3, 0), Some(Colour::Yellow));
    assert_eq!(colour(5, 5, 3), Some(Colour::Red), "it floats");
    assert_eq!(colour(5, 0, 0), Some(Colour::Red));
    assert_eq!(colour(6, 0, 0), None, "it was taken");
    assert_eq!(
        colour(9, 2, 0),
        Some(Colour::Green),
        "the row below was cleared"
    );
    let text = drawn(&boards[8], &[], None);
    for class in ["a", "b s", "c s", "d"] {
        assert!(text.contains(&format!(" class=\"{class}\"")), "{class}");
    }
}

#[test]
fn names_are_shown_and_cannot_be_markup() {
    let names = [
        (Colour::Red, "<script>alert(1)</script>".to_owned()),
        (Colour::Blue, "\"><b> '&\u{0}".to_owned()),
    ];
    let text = drawn(&last(""), &names, None);
    assert!(!text.contains("<script") && !text.contains("<b>"));
    assert!(text.contains(">&lt;scrip…ipt&gt;</text>"));
    assert!(text.contains(">&quot;&gt;&lt;b&gt; &#39;&amp;\u{fffd}</text>"));
    assert_eq!(count(&text, "<text"), 3);
    assert_eq!(escape("a\u{202e}é\u{ffff}\n"), "a\u{202e}é\u{fffd}\u{fffd}");
}

#[test]
fn colours_are_those_that_are_asked_for() {
    let board = last("1");
    let [both, light, dark] =
        [None, Some(Theme::Light), Some(Theme::Dark)].map(|theme| drawn(&board, &[], theme));
    assert!(both.contains("prefers-color-scheme:dark") && both.contains(".g{color:#f5f4f0}"));
    assert!(!light.contains("prefers-color-scheme") && !light.contains("#131519"));
    assert!(!dark.contains("prefers-color-scheme") && dark.contains(".g{color:#131519}"));
}

#[test]
fn a_preview_has_the_size_and_the_colours_of_the_discs() {
    for (theme, ground, red, blue) in [
        (
            Theme::Light,
            [0xf5, 0xf4, 0xf0],
            [0xe5, 0x48, 0x4d],
            [0x30, 0x79, 0xee],
        ),
        (
            Theme::Dark,
            [0x13, 0x15, 0x19],
            [0xea, 0x4e, 0x53],
            [0x41, 0x89, 0xf7],
        ),
    ] {
        let file = png(&last("4435"), theme);
        assert!(file.len() < 50_000, "{} bytes", file.len());
        let (width, height, pixels) = pixels(&file);
        assert_eq!((width, height), (SIZE.0.into(), SIZE.1.into()));
        assert_eq!(pixels[0], ground);
        let area = |colour| pixels.iter().filter(|pixel| **pixel == colour).count();
        // A cell has 90 pixels: a red disc has 4,070 of them, a blue one fewer, and each lost one.
        let (red, blue) = (area(red), area(blue));
        assert!((7500..8200).contains(&red), "{red}");
        assert!((5500..7500).contains(&blue), "{blue}");
    }
}

#[test]
fn pictures_of_the_largest_boards_stay_small() {
    for (bins, capacity) in [(1, 4), (4, 1), (12, 9), (11, 10)] {
        let Ok(shape) = Shape::try_from(ShapeSpec {
            bins,
            capacity,
            line: 4,
        }) else {
            continue;
        };
        let moves = (0..capacity)
            .flat_map(|_| 0..bins)
            .map(|bin| Move::Drop(Bin::new(bin)));
        let terms = Variant::classic(shape);
        // Until the game is won.
        let boards = (0..=usize::from(bins) * usize::from(capacity))
            .rev()
            .find_map(|most| Board::of_game(terms, moves.clone().take(most)).ok());
        let boards = boards.expect("a game");
        let still = png(boards.last().expect("a board"), Theme::Light);
        assert!(still.len() < 90_000, "{bins} x {capacity}: {}", still.len());
        let film = gif(&boards, Theme::Light).expect("a film");
        assert!(film.len() < 200_000, "{bins} x {capacity}: {}", film.len());
    }
}

#[test]
fn a_film_ends_with_the_picture_of_the_last_position() {
    for boards in [boards("4435261"), boards("1212121"), of_four()] {
        let film = gif(&boards, Theme::Dark).expect("a film");
        let alone = gif(&boards[boards.len() - 1..], Theme::Dark).expect("a film");
        assert!(film.len() < 60_000, "{} bytes", film.len());
        let (frames, shown) = shown(&film);
        assert_eq!(frames, boards.len());
        assert!(shown.chunks(4).all(|pixel| pixel[3] == 255), "no gaps");
        assert!(shown == self::shown(&alone).1, "painted over");
    }
}

/// Number of frames, and the colours at the end.
fn shown(file: &[u8]) -> (usize, Vec<u8>) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder: Decoder<&[u8]> = options.read_info(file).expect("a film");
    let width = usize::from(decoder.width());
    let mut screen = vec![0; 4 * width * usize::from(decoder.height())];
    let mut frames = 0;
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        frames += 1;
        let row = 4 * usize::from(frame.width);
        for (y, pixels) in frame.buffer.chunks(row).enumerate() {
            let start = 4 * ((usize::from(frame.top) + y) * width + usize::from(frame.left));
            let below = screen[start..start + row].chunks_mut(4);
            // What is transparent leaves what was there.
            for (below, pixel) in below
                .zip(pixels.chunks(4))
                .filter(|(_, pixel)| pixel[3] > 0)
            {
                below.copy_from_slice(pixel);
            }
        }
    }
    (frames, screen)
}

#[test]
fn a_film_has_only_so_many_pictures() {
    assert_eq!(gif(&[], Theme::Light), None);
    let boards = vec![last("1"); MOST_FRAMES + 40];
    let film = gif(&boards, Theme::Light).expect("a film");
    assert_eq!(shown(&film).0, MOST_FRAMES);
}
