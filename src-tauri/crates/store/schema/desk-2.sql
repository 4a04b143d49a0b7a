-- Where a template stood when an edit of it left: the channel counts edits of approved ones only.
ALTER TABLE submission ADD COLUMN status_before TEXT;

-- Files that were chosen for drafts, to choose them again. Not of a workspace: a picture may serve in several.
CREATE TABLE recent_file (
  path TEXT PRIMARY KEY,
  mime TEXT NOT NULL,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recent_file_newest ON recent_file (used_at);
