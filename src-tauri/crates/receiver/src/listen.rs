//! Opens the listening socket.

use std::{io, net::SocketAddr};

use tokio::net::{TcpListener, TcpSocket, ToSocketAddrs, lookup_host};

/// Maximum number of connections waiting to be accepted. Beyond it the system drops them, and a sender retries only
/// after a second; one burst of stalled connections exhausts the usual 128.
const BACKLOG: u32 = 1_024;

/// Listens on the first available address.
///
/// # Errors
/// The error of the last address if none is available.
pub async fn listen(addresses: impl ToSocketAddrs) -> io::Result<TcpListener> {
    let mut failure = io::Error::new(io::ErrorKind::InvalidInput, "the name has no address");
    for address in lookup_host(addresses).await? {
        match listen_on(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn listen_on(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // On other systems it lets two programs share a port; here it lets a restart reuse the port while connections are
    // ending.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::ErrorKind;

    use super::listen;

    #[tokio::test]
    async fn a_port_can_be_bound_once() {
        let listener = listen("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(listen(address).await.unwrap_err().kind(), ErrorKind::AddrInUse);
        drop(listener);
        listen(address).await.unwrap();
        listen("nonsense").await.unwrap_err();
        // TEST-NET-1 belongs to no machine.
        assert_eq!(listen("192.0.2.1:0").await.unwrap_err().kind(), ErrorKind::AddrNotAvailable);
    }
}
