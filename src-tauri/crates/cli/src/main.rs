//! Entry point of `tdesk`.

fn main() -> std::process::ExitCode {
    tdesk::run()
}
