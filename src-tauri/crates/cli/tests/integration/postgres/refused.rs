//! Databases that cannot hold a log, or that hold one of another version.

use super::Cluster;
use crate::receiving::{run, stderr};

#[tokio::test]
async fn databases_that_are_not_utf_8_are_refused() {
    let cluster = Cluster::start(&[]).await;
    for encoding in ["LATIN1", "SQL_ASCII"] {
        let name = encoding.to_lowercase();
        cluster.sql(&format!("CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0")).await;
        let address = format!("{}{name}", cluster.address().trim_end_matches("postgres"));
        let receive = ["receive", "--listen", "127.0.0.1:0", "--node", "a", "--secret-env", "CURRENT"];
        for command in [&receive[..], &["desk", "add", "ana"]] {
            let output = run(&[command, &["--store", &address]].concat()).await;
            assert_eq!(
                (output.status.code(), output.stdout.as_slice()),
                (Some(2), &b""[..]),
                "{encoding}: {}",
                stderr(&output)
            );
            let said = stderr(&output);
            assert!(
                said.contains(&format!("in {encoding} and")) && said.contains("createdb --encoding=UTF8"),
                "{said}"
            );
        }
    }
}

#[tokio::test]
async fn commands_create_and_migrate_no_tables() {
    let cluster = Cluster::start(&[]).await;
    let address = cluster.address();
    let commands: [&[&str]; 5] = [
        &["desk", "list"],
        &["desk", "revoke", "ana"],
        &["log", "show"],
        &["log", "keep", "40"],
        &["desk", "add", "ana"],
    ];
    let tdesk = async |command: &[&str]| run(&[command, &["--store", &address]].concat()).await;
    for command in &commands[..4] {
        let output = tdesk(command).await;
        assert_eq!(output.status.code(), Some(3), "{command:?}");
        let said = stderr(&output);
        assert!(said.contains("there is no log in this database yet") && said.contains("start a receiver"), "{said}");
    }
    assert_eq!(cluster.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'template_desk'").await, "0");

    // A token can be made before the first start.
    assert_eq!(tdesk(&["desk", "add", "ana"]).await.status.code(), Some(0));
    let output = tdesk(&["desk", "list"]).await;
    let listed = String::from_utf8_lossy(&output.stdout);
    assert!(listed.starts_with("{\"name\":\"ana\""), "{listed}{}", stderr(&output));
    cluster.sql("UPDATE template_desk.meta SET format = 99").await;
    for command in commands {
        let output = tdesk(command).await;
        assert_eq!(output.status.code(), Some(3), "{command:?}");
        assert!(stderr(&output).contains("have format 99"), "{command:?}: {}", stderr(&output));
    }
    assert_eq!(cluster.sql("SELECT format FROM template_desk.meta").await, "99");
}

#[tokio::test]
async fn databases_in_which_receivers_would_refuse_each_other_are_refused() {
    let cluster = Cluster::start(&[]).await;
    let address = cluster.address();
    let receive = ["receive", "--listen", "127.0.0.1:0", "--node", "a", "--secret-env", "CURRENT", "--store", &address];
    for (object, isolation) in [("ROLE postgres", "repeatable read"), ("DATABASE postgres", "serializable")] {
        cluster.sql(&format!("ALTER {object} SET default_transaction_isolation = '{isolation}'")).await;
        let output = run(&receive).await;
        assert_eq!(output.status.code(), Some(2), "{isolation}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(isolation) && said.contains("= 'read committed'"), "{said}");
        cluster.sql(&format!("ALTER {object} RESET default_transaction_isolation")).await;
    }
    assert_eq!(cluster.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'template_desk'").await, "0");
}
