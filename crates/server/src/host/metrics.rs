//! What a host counts, as Prometheus reads it.
//!
//! The text is written here, as the relay writes its own. `prometheus-client` writes another format, whose
//! end mark forbids to add the counts of the relay. `prometheus` writes this one: with it, the 203 lines
//! below are 164, of which 60 register names, which can fail, and read counts back from families for the
//! log; the relay, which does without the SDK, has five crates more. Its feature `process` adds another
//! one in place of the 47 lines of `process.rs`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use connect4_relay::Counter;

use super::process::{Process, seconds};

/// Upper bounds of the times that answers take, in seconds.
const BOUNDS: [f64; 8] = [0.005, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];

/// Why a socket of a page was closed by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closed {
    /// It took nothing of what it was told.
    Slow,
    /// It sent too many messages.
    Flood,
    /// It did not answer pings.
    Silent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    Requests,
    /// Requests of an address that ask the chain or the index.
    Dear,
    /// The same of all addresses.
    AllDear,
    Sockets,
    AllSockets,
    /// Games that are followed.
    Rooms,
    Time,
}

impl Closed {
    const ALL: [Self; 3] = [Self::Slow, Self::Flood, Self::Silent];

    const fn label(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Flood => "flood",
            Self::Silent => "silent",
        }
    }
}

impl Limit {
    const ALL: [Self; 7] = [
        Self::Requests,
        Self::Dear,
        Self::AllDear,
        Self::Sockets,
        Self::AllSockets,
        Self::Rooms,
        Self::Time,
    ];

    pub const fn label(self) -> &'static str {
        match self {
            Self::Requests => "requests_of_address",
            Self::Dear => "dear_requests_of_address",
            Self::AllDear => "dear_requests",
            Self::Sockets => "sockets_of_address",
            Self::AllSockets => "sockets",
            Self::Rooms => "rooms",
            Self::Time => "time",
        }
    }
}

#[derive(Default)]
pub struct Metrics {
    routes: Mutex<BTreeMap<Box<str>, Route>>,
    limited: [Counter; Limit::ALL.len()],
    closed: [Counter; Closed::ALL.len()],
    /// Connections that were turned away at the entrance.
    pub turned_away: Counter,
}

#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    /// Answers in up to so many seconds, and not in fewer.
    times: [u64; BOUNDS.len()],
    count: u64,
    sum: Duration,
}

impl Metrics {
    pub fn answered(&self, route: &str, status: u16, took: Duration) {
        let mut routes = self.routes();
        if !routes.contains_key(route) {
            routes.insert(route.into(), Route::default());
        }
        let Some(route) = routes.get_mut(route) else {
            return;
        };
        *route.by_status.entry(status).or_default() += 1;
        route.count += 1;
        route.sum += took;
        let bound = BOUNDS.iter().position(|bound| took.as_secs_f64() <= *bound);
        if let Some(times) = bound.and_then(|bound| route.times.get_mut(bound)) {
            *times += 1;
        }
    }

    pub fn limited(&self, limit: Limit) {
        let counters = Limit::ALL.iter().zip(&self.limited);
        for (_, counter) in counters.filter(|(other, _)| **other == limit) {
            counter.add();
        }
    }

    pub fn refused(&self) -> impl Iterator<Item = (Limit, u64)> {
        let counts = self.limited.iter().map(Counter::get);
        Limit::ALL.into_iter().zip(counts)
    }

    pub fn closed(&self, why: Closed) {
        let counters = Closed::ALL.iter().zip(&self.closed);
        for (_, counter) in counters.filter(|(other, _)| **other == why) {
            counter.add();
        }
    }

    /// How often each route answered with an error of the host or its chain.
    pub fn failures(&self) -> BTreeMap<(String, u16), u64> {
        let routes = self.routes();
        let failures = routes.iter().flat_map(|(route, counts)| {
            let failures = counts.by_status.range(500..);
            failures.map(|(status, count)| ((String::from(&**route), *status), *count))
        });
        failures.collect()
    }

    /// How often a route answered with a status between these two.
    fn answers(&self, route: &str, statuses: std::ops::RangeInclusive<u16>) -> u64 {
        let routes = self.routes();
        let by_status = routes.get(route).map(|route| &route.by_status);
        let counts = by_status.map(|counts| counts.range(statuses).map(|(_, count)| count).sum());
        counts.unwrap_or_default()
    }

    fn routes(&self) -> MutexGuard<'_, BTreeMap<Box<str>, Route>> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn write(&self, text: &mut Text) {
        text.family(
            "connect4_http_requests_total",
            "counter",
            "Answers to requests, by route and status.",
        );
        for (route, counts) in &*self.routes() {
            for (status, count) in &counts.by_status {
                let labels = format_args!("{{route=\"{route}\",status=\"{status}\"}}");
                text.value("connect4_http_requests_total", labels, count);
            }
        }
        const TIMES: &str = "connect4_http_request_duration_seconds";
        text.family(TIMES, "histogram", "Time that answers take, by route.");
        for (route, counts) in &*self.routes() {
            let mut below = 0;
            for (bound, times) in BOUNDS.iter().zip(counts.times) {
                below += times;
                let labels = format_args!("_bucket{{route=\"{route}\",le=\"{bound}\"}}");
                text.value(TIMES, labels, below);
            }
            let labels = format_args!("_bucket{{route=\"{route}\",le=\"+Inf\"}}");
            text.value(TIMES, labels, counts.count);
            let labels = format_args!("_sum{{route=\"{route}\"}}");
            text.value(TIMES, labels, counts.sum.as_secs_f64());
            let labels = format_args!("_count{{route=\"{route}\"}}");
            text.value(TIMES, labels, counts.count);
        }
        const LIMITED: &str = "connect4_limited_total";
        text.family(LIMITED, "counter", "What a limit refused, by limit.");
        for (limit, count) in self.refused() {
            let labels = format_args!("{{limit=\"{}\"}}", limit.label());
            text.value(LIMITED, labels, count);
        }
        text.single(
            "connect4_connections_turned_away_total",
            "counter",
            "Connections that were closed at once, as their address had too many.",
            self.turned_away.get(),
        );
        const CLOSED: &str = "connect4_sockets_closed_total";
        text.family(CLOSED, "counter", "Sockets of pages that the host closed.");
        for (why, counter) in Closed::ALL.into_iter().zip(&self.closed) {
            let labels = format_args!("{{reason=\"{}\"}}", why.label());
            text.value(CLOSED, labels, counter.get());
        }
        const TRANSACTIONS: &str = "connect4_transactions_total";
        text.family(
            TRANSACTIONS,
            "counter",
            "Transactions of wallets: tried and prepared, refused when they were tried, passed on to the \
             chain, and not taken by it.",
        );
        for (result, route, statuses) in [
            ("prepared", "/api/prepare", 200..=299),
            ("refused", "/api/prepare", 400..=428),
            ("submitted", "/api/submit", 200..=299),
            ("failed", "/api/submit", 430..=599),
        ] {
            let labels = format_args!("{{result=\"{result}\"}}");
            text.value(TRANSACTIONS, labels, self.answers(route, statuses));
        }
    }
}

/// A text that Prometheus reads, as it grows.
#[derive(Default)]
pub struct Text(String);

impl Text {
    /// Begins the values of a name.
    pub fn family(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    /// Adds a value. What is added to the name comes first, then labels.
    pub fn value(&mut self, name: &str, labels: fmt::Arguments<'_>, value: impl fmt::Display) {
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    pub fn single(&mut self, name: &str, kind: &str, help: &str, value: impl fmt::Display) {
        self.family(name, kind, help);
        self.value(name, format_args!(""), value);
    }

    /// Adds a text of the same format.
    pub fn add(&mut self, other: impl fmt::Display) {
        let _ = write!(self.0, "{other}");
    }

    /// Adds what the system says of this process, by the usual names.
    pub fn process(&mut self) {
        let process = Process::now();
        if let Some(bytes) = process.resident {
            let help = "Memory of the process.";
            self.single("process_resident_memory_bytes", "gauge", help, bytes);
        }
        if let Some(seconds) = process.cpu {
            let help = "Processor time of the process.";
            self.single("process_cpu_seconds_total", "counter", help, seconds);
        }
        if let Some(files) = process.files {
            self.single("process_open_fds", "gauge", "Open files.", files);
        }
    }

    /// Adds a time, in seconds since 1970.
    pub fn time(&mut self, name: &str, help: &str, at: SystemTime) {
        self.single(name, "gauge", help, seconds(at));
    }

    pub fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_route_and_status() {
        let metrics = Metrics::default();
        metrics.answered("/api/prepare", 200, Duration::from_millis(7));
        metrics.answered("/api/prepare", 200, Duration::from_secs(60));
        metrics.answered("/api/prepare", 409, Duration::ZERO);
        metrics.answered("/api/prepare", 429, Duration::ZERO);
        metrics.answered("/api/submit", 503, Duration::ZERO);
        metrics.limited(Limit::Dear);
        metrics.closed(Closed::Slow);
        let mut text = Text::default();
        metrics.write(&mut text);
        let text = text.finish();
        for line in [
            "# TYPE connect4_http_requests_total counter",
            r#"connect4_http_requests_total{route="/api/prepare",status="200"} 2"#,
            r#"connect4_http_requests_total{route="/api/submit",status="503"} 1"#,
            r#"connect4_http_request_duration_seconds_bucket{route="/api/prepare",le="0.005"} 2"#,
            r#"connect4_http_request_duration_seconds_bucket{route="/api/prepare",le="0.025"} 3"#,
            r#"connect4_http_request_duration_seconds_bucket{route="/api/prepare",le="30"} 3"#,
            r#"connect4_http_request_duration_seconds_bucket{route="/api/prepare",le="+Inf"} 4"#,
            r#"connect4_http_request_duration_seconds_sum{route="/api/prepare"} 60.007"#,
            r#"connect4_http_request_duration_seconds_count{route="/api/prepare"} 4"#,
            r#"connect4_limited_total{limit="dear_requests_of_address"} 1"#,
            r#"connect4_limited_total{limit="rooms"} 0"#,
            r#"connect4_sockets_closed_total{reason="slow"} 1"#,
            r#"connect4_transactions_total{result="prepared"} 2"#,
            r#"connect4_transactions_total{result="refused"} 1"#,
            r#"connect4_transactions_total{result="submitted"} 0"#,
            r#"connect4_transactions_total{result="failed"} 1"#,
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
    }
}
