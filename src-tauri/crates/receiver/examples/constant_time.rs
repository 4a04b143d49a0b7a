//! Tests whether the time to refuse a signature reveals how much of it is right (after *dudect*, Reparaz et al. 2017).
//!
//! Two classes of wrong signatures are checked in random order: the first byte is wrong in one class, the last in the
//! other. Every check has its own body, so that the digits of both classes look alike: decoding digits may take
//! variable time, because the sender knows them. Welch's t compares the times; |t| below 4.5 means no difference. A
//! comparison that stops at the first wrong byte serves as control: if the test cannot distinguish its classes, the
//! result is void.
//!
//! `cargo run --locked --release --package receiver --example constant_time [SAMPLES]`

use std::hint::black_box;
use std::time::Instant;

use receiver::signed_by;
use ring::hmac;
use secrecy::SecretString;

const SAMPLES: usize = 1_000_000;
const SECRET: &str = "app-secret-demo";
/// Fractions of the fastest measurements that are evaluated; the slowest are interruptions.
const SHARES: [f64; 4] = [1.0, 0.99, 0.9, 0.5];

/// A pseudo-random generator for the order; nothing secret depends on it.
struct Turns(u64);

impl Turns {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// A delivery with a signature that is wrong in one byte.
struct Attempt {
    body: [u8; 8],
    right: Vec<u8>,
    presented: Vec<u8>,
    headers: Vec<(String, String)>,
}

impl Attempt {
    fn new(key: &hmac::Key, number: u64, wrong: usize) -> Self {
        // Small, so that the hash is fast and a difference is visible.
        let body = number.to_be_bytes();
        let right = hmac::sign(key, &body).as_ref().to_vec();
        let mut presented = right.clone();
        presented[wrong] ^= 0xff;
        let digits: String = presented.iter().map(|byte| format!("{byte:02x}")).collect();
        let headers = vec![("x-hub-signature-256".to_owned(), format!("sha256={digits}"))];
        Self { body, right, presented, headers }
    }
}

fn main() {
    let samples = std::env::args().nth(1).and_then(|samples| samples.parse().ok()).unwrap_or(SAMPLES);
    let secrets = [SecretString::from(SECRET)];
    let library = measure(samples, |attempt| signed_by(&attempt.headers, &attempt.body, &secrets).is_ok());
    let stopping = measure(samples, |attempt| stops_at_the_first_wrong_byte(&attempt.right, &attempt.presented));

    println!("{samples} samples; |t| over the fastest share of all checks");
    print!("{:<32}", "share");
    SHARES.iter().for_each(|share| print!("{:>9.0} %", share * 100.0));
    println!();
    for (name, times) in [("signed_by", &library), ("stops at the first wrong byte", &stopping)] {
        print!("{name:<32}");
        SHARES.iter().for_each(|share| print!("{:>11.2}", welch(times, *share).abs()));
        println!();
    }
}

/// An insecure comparison, as control.
fn stops_at_the_first_wrong_byte(right: &[u8], presented: &[u8]) -> bool {
    right.iter().zip(presented).all(|(right, presented)| black_box(right) == black_box(presented))
}

/// Nanoseconds of each check, by class.
fn measure(samples: usize, check: impl Fn(&Attempt) -> bool) -> [Vec<f64>; 2] {
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
    let mut turns = Turns(0x9e37_79b9_7f4a_7c15);
    let mut times = [Vec::with_capacity(samples), Vec::with_capacity(samples)];
    // The first ones warm up caches and clocks.
    for turn in 0..samples + samples / 10 {
        let class = usize::from(turns.next() & 1 == 1);
        let attempt = Attempt::new(&key, turns.next(), class * 31);
        let began = Instant::now();
        let accepted = black_box(check(black_box(&attempt)));
        let took = began.elapsed();
        assert!(!accepted, "a wrong signature was accepted");
        if turn >= samples / 10 {
            times[class].push(took.as_nanos() as f64);
        }
    }
    times
}

/// Welch's t of the two classes, each limited to times below the quantile `share` of all measurements.
fn welch(times: &[Vec<f64>; 2], share: f64) -> f64 {
    let mut all: Vec<f64> = times.concat();
    all.sort_by(f64::total_cmp);
    let limit = all[((all.len() - 1) as f64 * share) as usize];
    let [(a, a_error), (b, b_error)] = [&times[0], &times[1]].map(|times| {
        let kept: Vec<f64> = times.iter().copied().filter(|time| *time <= limit).collect();
        let n = kept.len() as f64;
        let mean = kept.iter().sum::<f64>() / n;
        let variance = kept.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n)
    });
    (a - b) / (a_error + b_error).sqrt()
}
