//! Where a request comes from, as limits by address see it.

use std::net::IpAddr;

use ipnet::IpNet;

/// Whom limits by address count a request for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visitor {
    /// This address, and the networks that it is in.
    Counted(IpAddr),
    /// Nobody: the request is from this machine, or from an address that the operator has named.
    Uncounted,
}

impl Visitor {
    /// What the widest network has, as a multiple of what a single address has. Other shares divide it.
    pub const WIDEST_SHARE: u32 = 16;

    /// The networks that a visitor counts for, narrowest first, each with how much more than a single
    /// address it may have; none for an uncounted one.
    ///
    /// Providers give a customer all addresses of IPv6 with the same 64 bits, many those with the same 56
    /// or 48: without the wider networks, one customer is 65,536.
    pub fn networks(self) -> impl Iterator<Item = (IpNet, u32)> {
        let (address, prefixes): (_, &[(u8, u32)]) = match self {
            Self::Counted(address @ IpAddr::V4(_)) => (Some(address), &[(32, 1)]),
            Self::Counted(address @ IpAddr::V6(_)) => {
                (Some(address), &[(64, 1), (56, 4), (48, Self::WIDEST_SHARE)])
            }
            Self::Uncounted => (None, &[]),
        };
        prefixes.iter().filter_map(move |&(prefix, share)| {
            let network = IpNet::new(address?, prefix).ok()?;
            Some((network.trunc(), share))
        })
    }

    /// The widest network that a visitor counts for; none for an uncounted one.
    pub fn widest(self) -> Option<IpNet> {
        self.networks().last().map(|(network, _)| network)
    }
}

/// Addresses of this machine are not counted: a reverse proxy has one, and limits of its own.
impl From<IpAddr> for Visitor {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            address if address.is_loopback() => Self::Uncounted,
            address => Self::Counted(address),
        }
    }
}
