//! The load generator: keep-alive connections that post signed bodies, as fast as possible or at a fixed rate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use ring::hmac;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::signed::{self, Bodies};

/// Number of sending threads. Servers have the same number.
const THREADS: usize = 2;
/// Delay before a failed or broken connection is retried.
const RETRY_DELAY: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) target: SocketAddr,
    pub(crate) path: String,
    /// Requests in flight, each on its own connection.
    pub(crate) connections: usize,
    /// Size of a body in bytes.
    pub(crate) bytes: usize,
    /// Warm-up time, which is not counted.
    pub(crate) warm_up: Duration,
    /// Measured time.
    pub(crate) time: Duration,
    /// Total requests per second. If `None`, each connection sends again as soon as it gets a response.
    pub(crate) requests_per_second: Option<f64>,
    pub(crate) requests: u64,
}

impl Load {
    /// 700-byte bodies over 64 connections.
    pub(crate) fn new(target: SocketAddr, path: &str, time: Duration) -> Self {
        Self {
            target,
            path: path.to_owned(),
            connections: 64,
            bytes: 700,
            warm_up: Duration::from_millis(500),
            time,
            requests_per_second: None,
            requests: u64::MAX,
        }
    }

    /// Blocks and sends until the time is over.
    pub(crate) fn run(&self) -> anyhow::Result<Answers> {
        let started = Instant::now();
        let load_run = Arc::new(LoadRun {
            load: self.clone(),
            bodies: Bodies::new(self.bytes),
            key: signed::key(),
            number: AtomicU64::new(0),
            started,
            counted: started + self.warm_up,
            ended: started + self.warm_up + self.time,
        });
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let load_run = load_run.clone();
                std::thread::spawn(move || load_run.thread(thread))
            })
            .collect();
        let mut answers = Answers { time: self.time, ..Answers::default() };
        for thread in threads {
            answers.add(thread.join().map_err(|_| anyhow::anyhow!("a sending thread panicked"))??);
        }
        // A load that ended early was measured for less time.
        answers.time = answers.time.min(started.elapsed().saturating_sub(self.warm_up));
        answers.latencies.sort_unstable();
        Ok(answers)
    }
}

/// The responses to a load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    /// Answered `200`.
    pub(crate) accepted: u64,
    /// Answered `503`: retry later.
    pub(crate) busy: u64,
    /// Answered with another status, or not at all.
    pub(crate) failed: u64,
    /// All requests, including those of the warm-up.
    pub(crate) sent: u64,
    /// Measured time.
    pub(crate) time: Duration,
    /// Microseconds until each `200`, ascending.
    latencies: Vec<u32>,
}

impl Answers {
    /// Accepted requests per second.
    pub(crate) fn rate(&self) -> f64 {
        self.accepted as f64 / self.time.as_secs_f64()
    }

    /// Milliseconds within which this share of the accepted requests was answered.
    pub(crate) fn percentile(&self, part: f64) -> f64 {
        let Some(last) = self.latencies.len().checked_sub(1) else { return f64::NAN };
        let place = (last as f64 * part).round() as usize;
        f64::from(self.latencies[place.min(last)]) / 1_000.0
    }

    /// Fails unless every request was accepted: refusals are cheap and would distort the rate.
    pub(crate) fn all_accepted(self) -> anyhow::Result<Self> {
        anyhow::ensure!(
            self.busy == 0 && self.failed == 0 && self.accepted > 0,
            "{} accepted, {} answered with 503, {} failed",
            self.accepted,
            self.busy,
            self.failed
        );
        Ok(self)
    }

    fn add(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.busy += other.busy;
        self.failed += other.failed;
        self.sent += other.sent;
        self.latencies.extend(other.latencies);
    }
}

/// Shared state of all threads of a load.
struct LoadRun {
    load: Load,
    bodies: Bodies,
    key: hmac::Key,
    number: AtomicU64,
    started: Instant,
    counted: Instant,
    ended: Instant,
}

impl LoadRun {
    fn thread(self: Arc<Self>, thread: usize) -> anyhow::Result<Answers> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let connections: Vec<_> = (thread..self.load.connections)
                .step_by(THREADS)
                .map(|connection| tokio::spawn(self.clone().connection(connection)))
                .collect();
            let mut answers = Answers::default();
            for connection in connections {
                answers.add(connection.await.context("a connection's task panicked")?);
            }
            Ok(answers)
        })
    }

    async fn connection(self: Arc<Self>, connection: usize) -> Answers {
        let mut answers = Answers::default();
        let mut line = Line::default();
        let interval = self
            .load
            .requests_per_second
            .map(|requests_per_second| Duration::from_secs_f64(self.load.connections as f64 / requests_per_second));
        let mut due =
            self.started + interval.unwrap_or_default().mul_f64(connection as f64 / self.load.connections as f64);
        loop {
            let mut sent = Instant::now();
            if let Some(interval) = interval {
                if due > sent {
                    tokio::time::sleep_until(due.into()).await;
                    sent = Instant::now();
                } else {
                    // The previous response was late: this request waits since its due time.
                    sent = due;
                }
                due += interval;
            }
            let number = self.number.fetch_add(1, Ordering::Relaxed);
            if sent >= self.ended || number >= self.load.requests {
                return answers;
            }
            line.prepare(&self, number);
            let status = line.post(self.load.target).await;
            let latency = sent.elapsed();
            answers.sent += 1;
            if sent < self.counted {
                continue;
            }
            match status {
                Ok(200) => {
                    answers.accepted += 1;
                    answers.latencies.push(u32::try_from(latency.as_micros()).unwrap_or(u32::MAX));
                }
                Ok(503) => answers.busy += 1,
                Ok(_) => answers.failed += 1,
                Err(_) => {
                    answers.failed += 1;
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }
}

/// One connection with its buffers.
#[derive(Default)]
struct Line {
    stream: Option<TcpStream>,
    body: String,
    request: Vec<u8>,
    answer: Vec<u8>,
}

impl Line {
    /// Signing is part of the load, because a real sender has to sign too.
    fn prepare(&mut self, load_run: &LoadRun, number: u64) {
        use std::io::Write as _;

        load_run.bodies.write(number, &mut self.body);
        let tag = hmac::sign(&load_run.key, self.body.as_bytes());
        self.request.clear();
        let (path, target, length) = (&load_run.load.path, load_run.load.target, self.body.len());
        write!(
            self.request,
            "POST {path} HTTP/1.1\r\nhost: {target}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{}: sha256=",
            signed::HEADER
        )
        .expect("memory takes what is written");
        for byte in tag.as_ref() {
            write!(self.request, "{byte:02x}").expect("memory takes what is written");
        }
        self.request.extend_from_slice(b"\r\n\r\n");
        self.request.extend_from_slice(self.body.as_bytes());
    }

    async fn post(&mut self, target: SocketAddr) -> std::io::Result<u16> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect(target).await?;
                stream.set_nodelay(true)?;
                stream
            }
        };
        stream.write_all(&self.request).await?;
        self.answer.clear();
        loop {
            if stream.read_buf(&mut self.answer).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(answer) = complete(&self.answer) {
                if answer.stays_open {
                    self.stream = Some(stream);
                }
                return Ok(answer.status);
            }
        }
    }
}

struct Answer {
    status: u16,
    stays_open: bool,
}

/// The response, once its head and its body are complete.
fn complete(bytes: &[u8]) -> Option<Answer> {
    let head_end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..head_end]).unwrap_or_default();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().unwrap_or(0);
    let (mut length, mut stays_open) = (0, true);
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap_or(0);
        } else if name.eq_ignore_ascii_case("connection") {
            stays_open = !value.trim().eq_ignore_ascii_case("close");
        }
    }
    (bytes.len() >= head_end + 4 + length).then_some(Answer { status, stays_open })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::serve::{Mode, Server};

    #[test]
    fn a_response_ends_with_its_body() {
        assert!(complete(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no").is_none());
        let ended = complete(b"HTTP/1.1 503 Busy\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok").unwrap();
        assert_eq!((ended.status, ended.stays_open), (503, false));
        assert!(complete(b"HTTP/1.1 200 OK\r\n\r\n").unwrap().stays_open);
    }

    #[test]
    fn sent_requests_are_counted_and_stored() {
        for mode in Mode::ALL {
            let folder = tempfile::tempdir().unwrap();
            let served = Server::start(mode, folder.path()).unwrap();
            let load = Load {
                requests: 40,
                connections: 8,
                warm_up: Duration::ZERO,
                ..Load::new(served.address(), served.path(), Duration::from_secs(30))
            };
            let answers = load.run().unwrap();
            assert_eq!((answers.accepted, answers.busy, answers.failed), (40, 0, 0), "{mode:?}");
            assert_eq!((answers.latencies.len(), answers.sent), (40, 40));
            assert!(answers.percentile(0.5) <= answers.percentile(1.0));
            assert!(answers.rate() > 0.0);
            let elsewhere = Load { path: "/elsewhere".to_owned(), requests_per_second: Some(1_000.0), ..load };
            let refused = elsewhere.run().unwrap();
            assert_eq!(refused.accepted + refused.busy + refused.failed, 40, "{mode:?}");
            let checks = !matches!(mode, Mode::Bare | Mode::Hmac | Mode::Log);
            assert_eq!(refused.failed, if checks { 40 } else { 0 }, "{mode:?} looks at the path");
            served.stop().unwrap();
            let stored = Mode::stored(mode, folder.path()).unwrap();
            assert!(stored.is_none_or(|stored| stored == if checks { 40 } else { 80 }), "{mode:?}: {stored:?}");
        }
    }
}
