//! Which address a request comes from, behind reverse proxies.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

use crate::visitor::Visitor;

/// The reverse proxies in front of a server, whose header tells where a request comes from.
///
/// The header is read from right to left, as each proxy adds the address that it was reached from. The
/// first address that is no proxy's is the visitor's: whatever stands left of it, the visitor may have
/// sent. A request that comes from elsewhere than a proxy is taken for what it is, whatever its headers
/// say.
///
/// By where a request comes from, they tell whom it is counted for as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies {
    networks: Vec<Network>,
    header: ProxyHeader,
    uncounted: Vec<Network>,
}

/// The header in which proxies tell addresses.
///
/// One alone is read. A proxy that sets one of them passes the other on as the visitor has sent it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`, which is what proxies set by themselves or in the usual examples.
    #[default]
    XForwardedFor,
    /// `Forwarded`, by RFC 7239.
    Forwarded,
}

impl ProxyHeader {
    fn name(self) -> HeaderName {
        match self {
            Self::XForwardedFor => HeaderName::from_static("x-forwarded-for"),
            Self::Forwarded => header::FORWARDED,
        }
    }

    /// The address in an element of the header; none if there is none that can be read.
    fn address(self, element: &str) -> Option<IpAddr> {
        match self {
            Self::XForwardedFor => address(element.trim()),
            Self::Forwarded => {
                let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
                let mut pairs = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
                let (_, value) = pairs.next()?;
                address(value.trim().trim_matches('"'))
            }
        }
    }
}

impl Proxies {
    /// The proxies in these networks.
    #[must_use]
    pub fn new(networks: Vec<Network>, header: ProxyHeader) -> Self {
        Self {
            networks,
            header,
            uncounted: Vec::new(),
        }
    }

    /// The same, with networks whose addresses no limit by address counts.
    #[must_use]
    pub fn not_counting(self, uncounted: Vec<Network>) -> Self {
        Self { uncounted, ..self }
    }

    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        is_in(&self.networks, address)
    }

    /// Whom limits count a request with these headers for that `peer` has sent.
    #[must_use]
    pub fn visitor(&self, peer: IpAddr, headers: &HeaderMap) -> Visitor {
        self.count(self.origin(peer, headers))
    }

    /// Whom limits count what comes from this address for.
    pub(crate) fn count(&self, address: IpAddr) -> Visitor {
        match is_in(&self.uncounted, address) {
            true => Visitor::Uncounted,
            false => address.into(),
        }
    }

    /// Where a request with these headers comes from that `peer` has sent.
    fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut visitor = peer;
        let lines: Vec<_> = headers.get_all(self.header.name()).iter().collect();
        let elements = lines.iter().rev().flat_map(|line| {
            let line = line.to_str().unwrap_or_default();
            line.rsplit(',')
        });
        for element in elements {
            if !self.contain(visitor) {
                break;
            }
            // What cannot be read was not written by a proxy that is trusted.
            let Some(address) = self.header.address(element) else {
                break;
            };
            visitor = address;
        }
        visitor
    }
}

fn is_in(networks: &[Network], address: IpAddr) -> bool {
    networks.iter().any(|network| network.contains(address))
}

/// An address as headers spell it: some add a port, and brackets to one of IPv6.
fn address(text: &str) -> Option<IpAddr> {
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => match text.split_once(':') {
            Some((before, after)) if !after.contains(':') => before,
            _ => text,
        },
    };
    bare.parse().ok()
}

/// Addresses that begin with the same bits, such as `10.0.0.0/8`; or a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    fn contains(self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let network = text.parse().or_else(|_| text.parse().map(IpAddr::into));
        network.map(Self).map_err(|_| NotANetwork)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotANetwork;

impl fmt::Display for NotANetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neither an address nor a network such as 10.0.0.0/8")
    }
}

impl std::error::Error for NotANetwork {}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn these(networks: &[&str]) -> Vec<Network> {
        networks.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn proxies(networks: &[&str], header: ProxyHeader) -> Proxies {
        Proxies::new(these(networks), header)
    }

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    const PROXY: &str = "10.0.0.1";
    const FOR: &str = "x-forwarded-for";

    #[test]
    fn who_comes_without_a_proxy_is_believed_nothing() {
        let headers = headers(&[(FOR, "203.0.113.9"), ("forwarded", "for=203.0.113.9")]);
        for proxies in [
            Proxies::default(),
            proxies(&[PROXY], ProxyHeader::XForwardedFor),
            proxies(&[PROXY], ProxyHeader::Forwarded),
        ] {
            assert_eq!(proxies.origin(at("192.0.2.1"), &headers), at("192.0.2.1"));
        }
    }

    #[test]
    fn a_visitor_is_who_the_proxy_says_whatever_the_visitor_adds() {
        let proxies = proxies(&[PROXY, "10.1.0.0/16"], ProxyHeader::XForwardedFor);
        for (lines, visitor) in [
            (&[][..], PROXY),
            (&[(FOR, "192.0.2.1")][..], "192.0.2.1"),
            (&[(FOR, "203.0.113.9, 192.0.2.1")], "192.0.2.1"),
            (&[(FOR, "127.0.0.1, 192.0.2.1")], "192.0.2.1"),
            (&[(FOR, "10.0.0.1, 192.0.2.1")], "192.0.2.1"),
            (&[(FOR, "203.0.113.9"), (FOR, "192.0.2.1")], "192.0.2.1"),
            (&[(FOR, "203.0.113.9,192.0.2.1 , 10.1.2.3")], "192.0.2.1"),
            (&[(FOR, "192.0.2.1:4711")], "192.0.2.1"),
            (&[(FOR, "[2001:db8::1]:4711")], "2001:db8::1"),
            (&[(FOR, "2001:db8::1")], "2001:db8::1"),
            (&[(FOR, "203.0.113.9, unknown")], PROXY),
            (&[(FOR, "")], PROXY),
            (&[("forwarded", "for=203.0.113.9")], PROXY),
        ] {
            let seen = proxies.origin(at(PROXY), &headers(lines));
            assert_eq!(seen, at(visitor), "{lines:?}");
        }
    }

    #[test]
    fn only_who_comes_from_a_named_address_is_not_counted() {
        let proxies = proxies(&[PROXY], ProxyHeader::XForwardedFor)
            .not_counting(these(&["192.0.2.0/28", "2001:db8::/48"]));
        let counted = |address| Visitor::Counted(at(address));
        for (peer, line, visitor) in [
            (PROXY, "192.0.2.1", Visitor::Uncounted),
            (PROXY, "203.0.113.9, 192.0.2.15", Visitor::Uncounted),
            (PROXY, "2001:db8::1", Visitor::Uncounted),
            (PROXY, "::ffff:192.0.2.1", Visitor::Uncounted),
            (PROXY, "127.0.0.1", Visitor::Uncounted),
            ("192.0.2.1", "203.0.113.9", Visitor::Uncounted),
            (PROXY, "192.0.2.16", counted("192.0.2.16")),
            (PROXY, "2001:db8:1::1", counted("2001:db8:1::1")),
            // What strangers put in front of what the proxy adds, or send without a proxy.
            (PROXY, "192.0.2.1, 203.0.113.9", counted("203.0.113.9")),
            (PROXY, "127.0.0.1, 203.0.113.9", counted("203.0.113.9")),
            (PROXY, "junk", counted(PROXY)),
            ("203.0.113.9", "192.0.2.1", counted("203.0.113.9")),
            ("203.0.113.9", "10.0.0.1", counted("203.0.113.9")),
        ] {
            let seen = proxies.visitor(at(peer), &headers(&[(FOR, line)]));
            assert_eq!(seen, visitor, "{peer}: {line}");
        }
    }

    #[test]
    fn the_standard_header_is_read_if_it_is_the_one() {
        let proxies = proxies(&[PROXY], ProxyHeader::Forwarded);
        for (line, visitor) in [
            ("for=192.0.2.1", "192.0.2.1"),
            ("for=203.0.113.9, for=192.0.2.1;proto=https", "192.0.2.1"),
            (
                r#"by=10.0.0.1; For="[2001:db8::1]:4711";proto=https"#,
                "2001:db8::1",
            ),
            ("for=_hidden", PROXY),
            ("proto=https", PROXY),
        ] {
            let headers = headers(&[("forwarded", line), (FOR, "203.0.113.9")]);
            assert_eq!(proxies.origin(at(PROXY), &headers), at(visitor), "{line}");
        }
    }

    #[test]
    fn networks_are_spelled_with_the_bits_that_are_the_same() {
        let contains = |network: &str, address| {
            let network: Network = network.parse().unwrap();
            network.contains(at(address))
        };
        assert!(contains("10.0.0.0/8", "10.255.0.1"));
        assert!(contains("10.0.0.0/8", "::ffff:10.255.0.1"));
        assert!(!contains("10.0.0.0/8", "11.0.0.1"));
        assert!(contains("0.0.0.0/0", "192.0.2.1") && !contains("0.0.0.0/0", "::2"));
        assert!(contains("192.0.2.1", "192.0.2.1") && !contains("192.0.2.1", "192.0.2.2"));
        assert!(contains("fd00::/8", "fdff::1") && !contains("fd00::/8", "fe00::1"));
        assert!(contains("::/0", "2001:db8::1"));
        for text in ["", "1", "10.0.0.0/33", "fd00::/129", "10.0.0.0/", "games"] {
            assert_eq!(text.parse::<Network>(), Err(NotANetwork), "{text}");
        }
    }
}
