//! Requests as `curl` commands. Secrets are shown as variables, not as values.

use command_types::workspace::{CredentialKind, WorkspaceSettings};

/// The command that sends a request to the provider. `payload` are further arguments, already quoted for the shell.
pub fn command(method: &str, url: &str, settings: &WorkspaceSettings, payload: Vec<String>) -> String {
    let mut lines = vec![format!("curl -X {method} {}", quoted(url))];
    match settings.credential_kind {
        CredentialKind::Bearer => lines.push("-H \"Authorization: Bearer $TDESK_TOKEN\"".to_owned()),
        CredentialKind::Client => {
            lines.push("-H \"x-client-id: $TDESK_CLIENT_ID\"".to_owned());
            lines.push("-H \"x-client-secret: $TDESK_CLIENT_SECRET\"".to_owned());
        }
    }
    lines.push(format!("-H {}", quoted(&format!("x-workspace-uuid: {}", settings.workspace_uuid))));
    lines.extend(payload);
    lines.join(" \\\n  ")
}

/// The arguments that carry a JSON body.
pub fn json_body(json: &str) -> Vec<String> {
    vec!["-H 'Content-Type: application/json'".to_owned(), format!("--data-raw {}", quoted(json))]
}

/// Quotes a word for a POSIX shell.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::process::Command;

    use super::*;

    /// The arguments that the shell passes to `curl`.
    fn arguments(command: &str) -> Vec<String> {
        let script = format!("curl() {{ for word; do printf '%s\\0' \"$word\"; done; }}\n{command}");
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("TDESK_TOKEN", "the token")
            .env("TDESK_CLIENT_ID", "the id")
            .env("TDESK_CLIENT_SECRET", "the secret")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    }

    #[test]
    fn a_shell_passes_every_byte() {
        let json = "{\"a\":\"it's $HOME `id` \\\\ \\\" !! %s é\u{202e}\",\"b\":\"'''\"}";
        let url = "https://api.example/a'b/messaging/provider/1%202/send-message?x=$(id)&y";
        let mut settings = WorkspaceSettings { workspace_uuid: "5a9d'0001".to_owned(), ..WorkspaceSettings::default() };
        assert_eq!(
            arguments(&command("POST", url, &settings, json_body(json))),
            [
                "-X",
                "POST",
                url,
                "-H",
                "Authorization: Bearer the token",
                "-H",
                "x-workspace-uuid: 5a9d'0001",
                "-H",
                "Content-Type: application/json",
                "--data-raw",
                json
            ]
        );
        settings.credential_kind = CredentialKind::Client;
        let shown = command("PUT", url, &settings, vec!["-F".to_owned(), quoted("a=@b c")]);
        assert_eq!(
            arguments(&shown)[3..],
            [
                "-H",
                "x-client-id: the id",
                "-H",
                "x-client-secret: the secret",
                "-H",
                "x-workspace-uuid: 5a9d'0001",
                "-F",
                "a=@b c"
            ]
        );
    }
}
