//! Writes the man pages and the shell completions of `tdesk` to the folder given: `man/tdesk.1`, `man/tdesk-receive.1`,
//! …; `bash/tdesk`, `zsh/_tdesk` and `fish/tdesk.fish`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap_complete::Shell;

fn main() -> anyhow::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).context("name the folder to write to")?.into();
    let command = tdesk::command();
    let man = folder.join("man");
    std::fs::create_dir_all(&man)?;
    clap_mangen::generate_to(command.clone().disable_help_subcommand(true), &man)?;
    for (shell, name) in [(Shell::Bash, "bash"), (Shell::Zsh, "zsh"), (Shell::Fish, "fish")] {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        clap_complete::generate_to(shell, &mut command.clone(), "tdesk", &folder)?;
    }
    // The file that bash-completion looks for has no suffix.
    std::fs::rename(folder.join("bash/tdesk.bash"), folder.join("bash/tdesk"))?;
    Ok(())
}
