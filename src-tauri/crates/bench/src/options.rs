//! The selected rows and their duration.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;

const ROW_NAMES: [&str; 23] = [
    "K1", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13", "P14", "P16", "P17", "P18",
    "F1", "F2", "F3", "F4", "F5",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    rows: Vec<String>,
    /// Number of repetitions of each measure; the median counts.
    pub(crate) rounds: usize,
    /// Duration of one load.
    pub(crate) load: Duration,
    /// With the sizes of the goals, which takes most of an hour.
    pub(crate) full: bool,
    /// Where the receivers to compare with are installed; without it they are not measured.
    pub(crate) peers: Option<PathBuf>,
}

impl Options {
    pub(crate) fn parse(arguments: Vec<String>) -> anyhow::Result<Self> {
        let mut options = Self { rows: Vec::new(), rounds: 5, load: Duration::from_secs(3), full: false, peers: None };
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut number = || -> anyhow::Result<u32> {
                let value = arguments.next().unwrap_or_default();
                match value.parse() {
                    Ok(number) if number > 0 => Ok(number),
                    _ => anyhow::bail!("{argument} needs a number above 0, not {value:?}"),
                }
            };
            match argument.as_str() {
                "--rounds" => options.rounds = usize::try_from(number()?)?,
                "--seconds" => options.load = Duration::from_secs(number()?.into()),
                "--full" => options.full = true,
                "--peers" => {
                    let folder = arguments.next().context("--peers needs a folder")?;
                    options.peers = Some(folder.into());
                }
                row if ROW_NAMES.contains(&row) => options.rows.push(row.to_owned()),
                other => anyhow::bail!("{other:?} is no row and no option; the rows are {}", ROW_NAMES.join(" ")),
            }
        }
        Ok(options)
    }

    /// Whether a row is selected.
    pub(crate) fn includes(&self, row: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|wanted| wanted == row)
    }

    /// Whether any of these rows is selected.
    pub(crate) fn includes_any(&self, rows: &[&str]) -> bool {
        rows.iter().any(|row| self.includes(row))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn parse(line: &str) -> anyhow::Result<Options> {
        Options::parse(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn arguments_choose_rows_and_sizes() {
        let all = parse("").unwrap();
        assert!(ROW_NAMES.iter().all(|row| all.includes(row)) && !all.full);
        let some = parse("P1 --rounds 7 P14 --full --seconds 2").unwrap();
        assert!(some.includes("P1") && some.includes_any(&["P12", "P14"]) && !some.includes_any(&["P2", "P3"]));
        assert_eq!((some.rounds, some.load, some.full), (7, Duration::from_secs(2), true));
        assert_eq!(parse("P5 --peers there").unwrap().peers.as_deref(), Some("there".as_ref()));
        for wrong in ["--peers", "P99", "--rounds", "--rounds 0", "--seconds x", "-v"] {
            parse(wrong).unwrap_err();
        }
    }
}
