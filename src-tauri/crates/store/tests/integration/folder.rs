//! One owner of a data folder.

use store::{DataFolder, StoreError};

#[test]
fn a_folder_can_be_locked_once() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("new").join("data");
    let owner = DataFolder::lock(&root).unwrap();
    assert!(matches!(DataFolder::lock(&root), Err(StoreError::InUse(path)) if path == root));
    assert_eq!(owner.delivery_log(), DataFolder::delivery_log_in(&root));
    drop(owner);
    DataFolder::lock(&root).unwrap();
}

#[test]
fn of_concurrent_starts_one_gets_the_lock() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..20 {
        let barrier = std::sync::Barrier::new(8);
        let owners = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        let folder = DataFolder::lock(dir.path());
                        // No thread releases the lock before all have tried.
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
fn a_folder_and_its_files_are_restricted_to_their_owner() {
    use std::fs::{Permissions, create_dir_all, set_permissions, write};
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("data");
    create_dir_all(root.join("sandbox.json.media")).unwrap();
    let files = ["desk.sqlite", "inbox.damaged-T.sqlite", "sandbox.json", "sandbox.json.media/a", "mine.txt", "lock"];
    for name in files {
        write(root.join(name), "x").unwrap();
    }
    let elsewhere = dir.path().join("elsewhere");
    write(&elsewhere, "x").unwrap();
    std::os::unix::fs::symlink(&elsewhere, root.join("cache.link")).unwrap();
    for path in files.map(|name| root.join(name)).into_iter().chain([elsewhere.clone()]) {
        set_permissions(path, Permissions::from_mode(0o664)).unwrap();
    }
    for path in [&root, &root.join("sandbox.json.media")] {
        set_permissions(path, Permissions::from_mode(0o775)).unwrap();
    }
    let folder = DataFolder::lock(&root).unwrap();
    assert_eq!(folder.exposed(), None);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&root), mode(&root.join("sandbox.json.media"))), (0o700, 0o700));
    for name in files {
        let expected = if name == "mine.txt" { 0o664 } else { 0o600 };
        assert_eq!(mode(&root.join(name)), expected, "{name}");
    }
    assert_eq!(mode(&elsewhere), 0o664, "links are not followed");
}

#[test]
fn a_file_in_place_of_the_folder_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    std::fs::write(&path, "x").unwrap();
    assert!(matches!(DataFolder::lock(&path), Err(StoreError::Io { .. })));
}
