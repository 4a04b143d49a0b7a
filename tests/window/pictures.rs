//! A web server with pictures that test sends link to; one of them exceeds its declared size.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

const PICTURE: &[u8] = include_bytes!("../../icons/128x128.png");

/// More than the 5 242 880 bytes that an image of a send may have (contract §8).
const TOO_LARGE: usize = 6_000_000;

/// Serves `/rose.png`, `/poster.png`, which is too large, and `/liar.png`, which is as large and declares a smaller
/// size. Returns the address; the server ends with the test's process.
pub(super) fn serve_pictures() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that has read enough closes the connection.
            std::thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let (asks_for_head, path) = (request.starts_with("HEAD "), request.split(' ').nth(1).unwrap_or_default());
    let mut picture = PICTURE.to_vec();
    if path != "/rose.png" {
        picture.resize(TOO_LARGE, 0);
    }
    let declared_length = if asks_for_head && path == "/liar.png" { PICTURE.len() } else { picture.len() };
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: {declared_length}\r\nConnection: close\r\n\r\n"
    )?;
    if asks_for_head { Ok(()) } else { stream.write_all(&picture) }
}
