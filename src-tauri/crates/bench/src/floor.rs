//! The limit of the disk: short writes, each synced.

use std::fmt;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::Instant;

const WRITES: usize = 400;
const WRITE_BYTES: usize = 4_096;

/// Milliseconds of a write of 4 KiB with its sync.
#[derive(Debug)]
pub(crate) struct Floor {
    pub(crate) append: [f64; 2],
    pub(crate) overwrite: [f64; 2],
}

impl fmt::Display for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [append, overwrite] = [self.append, self.overwrite];
        write!(
            f,
            "disk: 4 KiB and fdatasync, p50 and p99 in ms: {:.3} {:.3} appending, {:.3} {:.3} overwriting",
            append[0], append[1], overwrite[0], overwrite[1]
        )
    }
}

pub(crate) fn measure(folder: &Path) -> std::io::Result<Floor> {
    let mut file = std::fs::File::create(folder.join("floor"))?;
    let append = write(&mut file)?;
    file.seek(SeekFrom::Start(0))?;
    let overwrite = write(&mut file)?;
    std::fs::remove_file(folder.join("floor"))?;
    Ok(Floor { append, overwrite })
}

fn write(file: &mut std::fs::File) -> std::io::Result<[f64; 2]> {
    let block = [b'x'; WRITE_BYTES];
    let mut times = Vec::with_capacity(WRITES);
    for _ in 0..WRITES {
        let started = Instant::now();
        file.write_all(&block)?;
        file.sync_data()?;
        times.push(started.elapsed().as_secs_f64() * 1_000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok([times[WRITES / 2], times[WRITES * 99 / 100]])
}
