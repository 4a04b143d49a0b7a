//! Determines which IP addresses are public, and which hosts are this machine.
//!
//! Media are fetched from untrusted addresses, which must not lead into the private network of the person or to this
//! machine. The tables are IANA's special-purpose registries (RFC 6890 and its updates).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that are not public: first address and prefix length.
const PRIVATE_V4: [([u8; 4], u8); 16] = [
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private use
    ([100, 64, 0, 0], 10),   // shared by customers of a provider (CGNAT)
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local, and metadata of clouds
    ([172, 16, 0, 0], 12),   // private use
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 31, 196, 0], 24), // AS112
    ([192, 88, 99, 0], 24),  // relays of 6to4, no longer in use
    ([192, 168, 0, 0], 16),  // private use
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// Networks among the global unicast addresses (2000::/3) that are not public. Addresses outside of that range are not
/// global.
const PRIVATE_V6: [([u16; 3], u8); 4] = [
    ([0x2001, 0, 0], 23),           // protocol assignments, Teredo among them
    ([0x2001, 0x0db8, 0], 32),      // documentation
    ([0x2620, 0x004f, 0x8000], 48), // AS112
    ([0x3fff, 0, 0], 20),           // documentation
];

/// Whether an address is on the public Internet: not this machine, a private network or a multicast group.
///
/// An IPv6 address with an embedded IPv4 address, as used by NAT64 (RFC 6052) and 6to4, is public if the embedded one
/// is.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Whether the host of a URL is `localhost` or a loopback address; IPv6 addresses with or without brackets.
#[must_use]
pub fn is_this_machine(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !PRIVATE_V4.iter().any(|(first, length)| {
        let first = u32::from_be_bytes(*first);
        (bits ^ first) >> (32 - length) == 0
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let carried = |place: usize| {
        let [a, b] = segments[place].to_be_bytes();
        let [c, d] = segments[place + 1].to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        // IPv4-mapped (RFC 4291) and NAT64 (RFC 6052).
        [0, 0, 0, 0, 0, 0xffff, ..] | [0x64, 0xff9b, 0, 0, 0, 0, ..] => carried(6),
        // 6to4 (RFC 3056).
        [0x2002, ..] => carried(1),
        _ => {
            let bits = address.to_bits();
            let is_global = bits >> 125 == 0b001;
            is_global
                && !PRIVATE_V6.iter().any(|([a, b, c], length)| {
                    let first = Ipv6Addr::new(*a, *b, *c, 0, 0, 0, 0, 0).to_bits();
                    (bits ^ first) >> (128 - length) == 0
                })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_internet_addresses_are_public() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450::1",
            "2001:4860:4860::8888",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
            "2002:808:808::1",
        ];
        let private = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.9",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
            "100::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::808:808",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
            "2002:a9fe:a9fe::",
            "5f00::1",
            "4000::1",
        ];
        for (addresses, expected) in [(&public[..], true), (&private[..], false)] {
            for address in addresses {
                assert_eq!(address.parse().map(is_public), Ok(expected), "{address}");
            }
        }
    }

    #[test]
    fn this_machine_is_localhost_and_its_loopback_addresses() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["localhost.example.com", "128.0.0.1", "0.0.0.0", "[::2]", "[::1", "", "example.com"] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
