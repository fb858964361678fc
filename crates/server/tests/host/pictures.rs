//! Pictures of games, previews of links, and boards for other people's pages.

use connect4_client::{Contracts, GameId, Signer, name_of};
use connect4_protocol::signed::Moves;
use connect4_protocol::signed::wire::Act;
use connect4_relay::{Allowed, Rate};
use connect4_rules::{Bin, Player};
use connect4_server::{HostLimits, WitnessFolder};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::watching::{deployed, start_game};
use super::witness::{self, connected, log, told};
use super::{Host, few};
use crate::served::{Chained, game, seated};

const BROWSER: &str = "sec-fetch-mode: navigate\r\nuser-agent: Mozilla/5.0\r\n";

/// A host with the games `0`, won by its first player, and `1`, which goes on after a move.
struct Games {
    _chain: Chained,
    host: Host,
    contract: Contracts,
    alice: Signer,
    bob: Signer,
}

/// A look at a game and three PNGs.
const DEAR: u32 = 1 + 3 * 4;

/// Limits with few dear requests, and so many of all.
fn few_dear(requests: u32) -> HostLimits {
    HostLimits {
        dear: Allowed {
            rate: Rate {
                burst: DEAR,
                per_second: 0,
            },
            ..few().dear
        },
        requests: Allowed {
            at_once: 64,
            most: u32::MAX,
            rate: Rate {
                burst: requests,
                per_second: 0,
            },
        },
        ..HostLimits::default()
    }
}

impl Games {
    async fn start(limits: HostLimits) -> Self {
        let chain = Chained::start().await;
        let (contract, alice, bob) = deployed(&chain).await;
        let won = start_game(&contract, &alice, &bob).await;
        start_game(&contract, &alice, &bob).await;
        let host = Host::start(&chain, limits).await;
        let games = Self {
            _chain: chain,
            host,
            contract,
            alice,
            bob,
        };
        for (turn, bin) in [3, 4, 3, 4, 3, 4, 3].into_iter().enumerate() {
            games.drop(won, turn, bin).await;
        }
        games.drop(GameId::Classic(1), 0, 0).await;
        games
    }

    async fn drop(&self, game: GameId, turn: usize, bin: u8) {
        let player = [&self.alice, &self.bob][turn % 2];
        let dropped = self.contract.drop_disc(player, game, Bin::new(bin));
        dropped.await.expect("dropped");
    }

    async fn get(&self, path: &str, headers: &str) -> Answer {
        let mut stream = TcpStream::connect(self.host.addr)
            .await
            .expect("it listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: games.example\r\n{headers}connection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.expect("answered");
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
        let body = bytes.split_off(end.expect("a head") + 4);
        let head = String::from_utf8(bytes).expect("a head");
        let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
        Answer {
            status: status.expect("a status"),
            head,
            body,
        }
    }

    async fn ask(&self, path: &str) -> Answer {
        self.get(path, "x-forwarded-for: 192.0.2.1\r\n").await
    }
}

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_say_what_they_are_and_may_do_nothing() {
    let games = Games::start(HostLimits::default()).await;
    for (path, media, start) in [
        ("/game/0/picture.svg", "image/svg+xml", &b"<svg"[..]),
        ("/game/0/picture.png", "image/png", b"\x89PNG"),
        (
            "/game/0/picture.png?theme=dark&move=3",
            "image/png",
            b"\x89PNG",
        ),
        ("/game/0/picture.gif", "image/gif", b"GIF89a"),
    ] {
        let answer = games.get(path, "").await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.head);
        assert_eq!(answer.header("content-type"), Some(media), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(
            answer.header("content-security-policy"),
            Some("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox")
        );
        assert_eq!(
            answer.header("cross-origin-resource-policy"),
            Some("cross-origin")
        );
        assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"));
        assert!(answer.body.starts_with(start), "{path}");
        let tag = answer.header("etag").expect("a tag");
        let again = games.get(path, &format!("if-none-match: {tag}\r\n")).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("etag"), Some(tag));
    }
    let svg = games.get("/game/0/picture.svg", "").await;
    assert!(
        svg.text()
            .contains("<title>alice vs bob: alice won</title>"),
        "{}",
        svg.text()
    );
    assert_eq!(svg.text().matches("class=\"m s o\"").count(), 4, "the line");
    for (path, status) in [
        ("/game/9/picture.png", 404),
        ("/game/nonsense/picture.svg", 404),
        ("/game/0/picture.png?move=8", 404),
        ("/game/0/picture.png?move=-1", 400),
        ("/game/0/picture.svg?theme=%3Cscript%3E", 400),
        ("/game/0/picture.jpg", 404),
    ] {
        let answer = games.get(path, "").await;
        assert_eq!(answer.status, status, "{path}");
        assert!(
            answer
                .header("content-type")
                .is_none_or(|media| !media.starts_with("image"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_a_game_that_goes_on_changes_with_it() {
    let games = Games::start(HostLimits::default()).await;
    let path = "/game/1/picture.svg";
    let first = games.get(path, "").await;
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    assert!(first.text().contains("bob to move"));
    let tag = format!(
        "if-none-match: {}\r\n",
        first.header("etag").expect("a tag")
    );
    games.drop(GameId::Classic(1), 1, 0).await;
    let changed = loop {
        let answer = games.get(path, &tag).await;
        if answer.status == 200 {
            break answer;
        }
        assert_eq!(answer.status, 304);
    };
    assert!(changed.text().contains("alice to move"));
    // A position of the past stays as it is.
    let past = games.get("/game/1/picture.svg?move=1", "").await;
    assert_eq!(past.header("cache-control"), Some("public, max-age=3600"));
}

/// Two guests play in a room of the host's witness: nobody has recorded their game.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_guests_has_a_picture_while_it_is_played() {
    let chain = Chained::start().await;
    let (contract, alice, bob) = deployed(&chain).await;
    let folder = TempDir::new().expect("a folder");
    let of = log(WitnessFolder::Of(folder.path().to_owned()));
    let host = witness::start(&chain, of, connected(&chain).await).await;
    let host = host.expect("it starts");
    let (key, _) = told(&host).await;
    let key = key.as_str().and_then(|key| key.parse().ok());
    let signing = contract.client().signing_chain().expect("a number");
    let play = game(signing, key.expect("a key"), 1);
    let games = Games {
        _chain: chain,
        host,
        contract,
        alice,
        bob,
    };
    let path = format!("/game/{}/picture.svg", play.number);
    assert_eq!(games.get(&path, "").await.status, 404);
    let mut seats = seated(games.host.addr, &play).await;
    let swapped = [3, Moves::SWAP];
    for moves in 1..=swapped.len() {
        let mover = &mut seats[(moves - 1) % 2];
        mover.say(play.made(&swapped[..moves])).await;
        mover.receipt(&swapped[..moves]).await;
    }
    let [one, two] = Player::ALL.map(|player| name_of(play.keys.get(player).address()));
    let goes_on = games.get(&path, "").await;
    assert_eq!(goes_on.header("cache-control"), Some("no-cache"));
    // The second player has taken the first disc, so the first one moves again.
    let title = format!("<title>{two} vs {one}: {one} to move</title>");
    assert!(goes_on.text().contains(&title), "{}", goes_on.text());
    let resigns = play.spoken(Player::One, Act::Resign, &swapped);
    seats[0].say(resigns).await;
    seats[0].end().await;
    let title = format!("<title>{two} vs {one}: {two} won by resignation</title>");
    let tag = goes_on.header("etag").expect("a tag");
    let over = loop {
        let answer = games.get(&path, &format!("if-none-match: {tag}\r\n")).await;
        if answer.status == 200 {
            break answer;
        }
        assert_eq!(answer.status, 304);
    };
    assert!(over.text().contains(&title), "{}", over.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_of_a_game_names_it_and_its_picture() {
    let games = Games::start(HostLimits::default()).await;
    let preview = games.get("/game/0?move=3", "").await;
    let text = preview.text();
    assert!(
        text.contains("<title>alice vs bob: alice won, 7 moves · Connect Four</title>"),
        "{text}"
    );
    for tag in [
        r#"<meta property="og:title" content="alice vs bob: alice won, 7 moves">"#,
        r#"<meta property="og:url" content="https://games.example/game/0?move=3">"#,
        r#"<meta property="og:image" content="https://games.example/game/0/picture.png?move=3">"#,
        r#"<meta property="og:image:width" content="1200">"#,
        r#"<meta name="twitter:card" content="summary_large_image">"#,
    ] {
        assert!(text.contains(tag), "{tag}");
    }
    assert_eq!(preview.header("cache-control"), Some("no-store"));
    // Who opens it gets the file of the page, whatever the game.
    let page = games.get("/", BROWSER).await;
    for path in ["/game/0", "/game/1?move=1", "/game/99"] {
        let opened = games.get(path, BROWSER).await;
        assert_eq!(opened.status, 200);
        assert!(opened.body == page.body, "{path}");
        assert_eq!(opened.header("etag"), page.header("etag"));
    }
    // So does who makes a preview of a game that is not there.
    let missing = games.get("/game/99", "").await;
    assert!(missing.body == page.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_no_name_is_in_no_page() {
    let games = Games::start(HostLimits::default()).await;
    let mut stream = TcpStream::connect(games.host.addr)
        .await
        .expect("it listens");
    let request =
        "GET /game/0 HTTP/1.1\r\nhost: a\"><script>alert(1)</script>\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answered");
    assert!(
        !answer.contains("alert(1)") && !answer.contains("og:image"),
        "{answer}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_for_other_pages_has_no_script_and_no_rights() {
    let games = Games::start(HostLimits::default()).await;
    let board = games.get("/embed/game/1", "").await;
    assert_eq!(board.status, 200, "{}", board.head);
    let policy = board.header("content-security-policy").expect("a policy");
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
         frame-ancestors *; sandbox allow-popups allow-popups-to-escape-sandbox"
    );
    assert_eq!(board.header("refresh"), Some("10"));
    assert_eq!(board.header("set-cookie"), None);
    assert_eq!(board.header("referrer-policy"), Some("no-referrer"));
    let text = board.text();
    assert!(
        !text.contains("<script") && !text.contains(" src="),
        "{text}"
    );
    assert!(text.contains(r#"<a href="/game/1" target="_blank" rel="noopener noreferrer">"#));
    assert!(text.contains("<title>alice vs bob: bob to move, 1 move</title>"));
    let ended = games.get("/embed/game/0?theme=dark", "").await;
    assert_eq!(ended.header("refresh"), None);
    let missing = games.get("/embed/game/7", "").await;
    assert_eq!(missing.status, 404);
    assert!(
        missing.text().contains("<p>there is no game 7"),
        "{}",
        missing.text()
    );
    // What is no name of a game is not taken for a line of moves, and nothing of an address is markup.
    let line = "?bins=7&capacity=6&line=4&moves=44&x='&quot;onclick=alert(1)";
    let unnamed = games.get(&format!("/embed/game/%ff{line}"), "").await;
    assert_eq!(unnamed.status, 400, "{}", unnamed.text());
    assert!(!unnamed.text().contains("onclick"), "{}", unnamed.text());
    let named = games.get("/embed/game/%22%3Cscript%3E", "").await;
    assert!(!named.text().contains("<script"), "{}", named.text());
    let preview = games.get(&format!("/line{line}"), "").await;
    let escaped = "moves=44&amp;x=&#39;&amp;quot;onclick=alert(1)\">";
    assert!(preview.text().contains(escaped), "{}", preview.text());
    // All else stays out of other pages.
    for path in [
        "/",
        "/game/0",
        "/game/0/picture.svg",
        "/embed",
        "/api/hello",
    ] {
        let answer = games.get(path, BROWSER).await;
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert_eq!(
            answer.header("cross-origin-opener-policy"),
            Some("same-origin-allow-popups"),
            "{path}: who opens the page can't lead it elsewhere"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_for_pictures_is_refused_and_those_that_are_there_are_given_out() {
    let games = Games::start(few_dear(200)).await;
    // One is counted for the look at the game, four for each picture.
    let mut statuses = Vec::new();
    for moves in 0..8 {
        let path = format!("/game/0/picture.png?move={moves}");
        statuses.push(games.ask(&path).await.status);
    }
    assert_eq!(statuses, [200, 200, 200, 429, 429, 429, 429, 429]);
    // What was drawn costs nothing more, in whatever number.
    for _ in 0..50 {
        assert_eq!(games.ask("/game/0/picture.png?move=2").await.status, 200);
    }
    assert_eq!(games.ask("/game/0/picture.gif").await.status, 429);
    let embedded = games.ask("/embed/game/0").await;
    assert_eq!(
        (embedded.status, embedded.header("refresh")),
        (429, Some("60"))
    );
    // The link is opened all the same, and so are pictures by others.
    assert_eq!(games.ask("/game/0").await.status, 200);
    let other = games
        .get("/game/0/picture.gif", "x-forwarded-for: 192.0.2.2\r\n")
        .await;
    assert_eq!(other.status, 200);
    let limited = r#"connect4_limited_total{limit="dear_requests_of_address"}"#;
    assert_eq!(games.host.metric(limited).await, "7");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_on_no_chain_has_a_picture_too() {
    let games = Games::start(HostLimits::default()).await;
    let line = "bins=7&capacity=6&line=4&players=3&take=1&moves=44t4.1";
    let svg = games.get(&format!("/line/picture.svg?{line}"), "").await;
    assert_eq!(svg.status, 200, "{}", svg.head);
    assert!(
        svg.text().contains("<title>red to move</title>"),
        "{}",
        svg.text()
    );
    let after = games
        .get(&format!("/line/picture.png?{line}&move=2"), "")
        .await;
    assert_eq!(after.header("cache-control"), Some("public, max-age=3600"));
    let preview = games.get(&format!("/line?{line}&move=2"), "").await;
    let image = format!(
        r#"content="https://games.example/line/picture.png?{}&amp;move=2""#,
        line.replace('&', "&amp;")
    );
    assert!(preview.text().contains(&image), "{}", preview.text());
    assert!(
        preview
            .text()
            .contains("<title>red to move, 3 moves · Connect Four</title>")
    );
    for (query, status) in [("moves=44", 400), ("bins=7&capacity=6&line=4&moves=9", 400)] {
        let refused = games.get(&format!("/line/picture.svg?{query}"), "").await;
        assert_eq!(refused.status, status, "{query}");
        let page = games.get(&format!("/line?{query}"), "").await;
        assert_eq!(
            (page.status, page.text().contains("og:image")),
            (200, false)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_that_is_loaded_again_and_again_is_read_once() {
    let games = Games::start(few_dear(1_000_000)).await;
    assert_eq!(games.ask("/embed/game/1").await.status, 200);
    // Its room is open: each change is told by the chain, and another look asks it for nothing.
    assert_eq!(games.host.metric("connect4_rooms ").await, "1");
    let began = std::time::Instant::now();
    while began.elapsed() < std::time::Duration::from_millis(1100) {
        assert_eq!(games.ask("/embed/game/1").await.status, 200);
    }
    let limited = r#"connect4_limited_total{limit="dear_requests_of_address"}"#;
    assert_eq!(games.host.metric(limited).await, "0");
}
