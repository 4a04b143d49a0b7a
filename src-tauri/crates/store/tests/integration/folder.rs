//! One owner of a data folder.

use store::{DataFolder, StoreError};

#[test]
fn a_folder_has_one_owner() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("new").join("data");
    let owner = DataFolder::lock(&root).unwrap();
    assert!(matches!(DataFolder::lock(&root), Err(StoreError::InUse(path)) if path == root));
    assert_eq!(owner.inbox(), DataFolder::inbox_in(&root));
    drop(owner);
    DataFolder::lock(&root).unwrap();
}

#[test]
fn of_many_that_start_together_one_owns() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let barrier = std::sync::Barrier::new(8);
        let owners = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        let folder = DataFolder::lock(dir.path());
                        // Nobody lets go before everybody has tried.
                        barrier.wait();
                        folder.is_ok()
                    })
                })
                .collect();
            starts.into_iter().map(|start| start.join().unwrap()).filter(|owns| *owns).count()
        });
        assert_eq!(owners, 1);
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_on_the_machine_reads_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let folder = DataFolder::lock(dir.path().join("data")).unwrap();
    assert_eq!(folder.root().metadata().unwrap().permissions().mode() & 0o077, 0);
}

#[test]
fn a_file_in_the_way_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    std::fs::write(&path, "x").unwrap();
    assert!(matches!(DataFolder::lock(&path), Err(StoreError::Io { .. })));
}
