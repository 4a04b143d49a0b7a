//! Finds files with the same template: a push carries out only one of them.

use std::collections::HashMap;
use std::path::PathBuf;

use outgoing::file_name::shown;

use super::{Action, Step, key};

/// The files read so far, by the template in them.
#[derive(Debug, Default)]
pub struct DuplicateCheck(HashMap<(String, String), Vec<CheckedFile>>);

#[derive(Debug)]
struct CheckedFile {
    path: PathBuf,
    wabas: Vec<String>,
    edits: Vec<String>,
}

impl DuplicateCheck {
    /// Blocks a step if another file has the same template: a WABA has one template per name and language. `wabas`
    /// override the WABAs that the file names.
    pub fn check(&mut self, step: &mut Step, wabas: &[String]) {
        if step.name.is_empty() {
            return;
        }
        let wabas = if wabas.is_empty() { step.read.wabas.clone() } else { wabas.to_vec() };
        let edits = match &step.action {
            Action::Edit { uuids, .. } => uuids.clone(),
            _ => Vec::new(),
        };
        let files = self.0.entry(key(&step.name, &step.language)).or_default();
        let shares = |one: &[String], other: &[String]| one.iter().any(|known| other.contains(known));
        let same = |file: &&CheckedFile| {
            let anywhere = file.wabas.is_empty() || wabas.is_empty();
            anywhere || shares(&file.wabas, &wabas) || shares(&file.edits, &edits)
        };
        if let Some(other) = files.iter().find(same) {
            return step.block(format!("{} has the same template. Keep one of the two.", shown(&other.path)));
        }
        files.push(CheckedFile { path: step.file.clone(), wabas, edits });
    }
}
