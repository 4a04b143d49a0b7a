CREATE TABLE setting (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  id TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE draft (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  document TEXT NOT NULL CHECK (json_valid(document)),
  template_ref TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX draft_newest ON draft (workspace_id, updated_at, id);

CREATE TABLE submission (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  draft_id TEXT REFERENCES draft ON DELETE SET NULL,
  template_ref TEXT,
  waba TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('create', 'edit')),
  request TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('recorded', 'accepted', 'refused', 'unknown')),
  response_status INTEGER,
  response_body TEXT,
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  created_at INTEGER NOT NULL,
  answered_at INTEGER
) STRICT;
CREATE INDEX submission_newest ON submission (workspace_id, created_at, id);
CREATE INDEX submission_draft ON submission (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX submission_template ON submission (workspace_id, template_ref, created_at) WHERE template_ref IS NOT NULL;
CREATE INDEX submission_recorded ON submission (id) WHERE state = 'recorded';

CREATE TABLE version (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  template_ref TEXT NOT NULL,
  at INTEGER NOT NULL,
  origin TEXT NOT NULL,
  document TEXT NOT NULL CHECK (json_valid(document))
) STRICT;
CREATE INDEX version_newest ON version (workspace_id, template_ref, at, id);

CREATE TABLE send (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  number TEXT NOT NULL,
  recipient TEXT NOT NULL,
  template_name TEXT NOT NULL,
  language TEXT NOT NULL,
  template_ref TEXT,
  payload TEXT NOT NULL,
  tracking_id TEXT UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('recorded', 'accepted', 'refused', 'unknown')),
  message_id TEXT,
  response_status INTEGER,
  response_body TEXT,
  error TEXT CHECK (error IS NULL OR json_valid(error)),
  -- The current status by rank, kept from send_outcome.
  status TEXT,
  status_at INTEGER,
  created_at INTEGER NOT NULL,
  answered_at INTEGER
) STRICT;
CREATE INDEX send_newest ON send (workspace_id, created_at, id);
CREATE INDEX send_message ON send (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX send_template ON send (workspace_id, template_name, created_at, id);
CREATE INDEX send_recipient ON send (workspace_id, recipient, created_at, id);
CREATE INDEX send_recorded ON send (id) WHERE state = 'recorded';

-- What the channel reported about a send. Kept here because the inbox is emptied by retention one day.
CREATE TABLE send_outcome (
  send_id TEXT NOT NULL REFERENCES send ON DELETE CASCADE,
  status TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  error TEXT,
  PRIMARY KEY (send_id, status, at)
) STRICT, WITHOUT ROWID;

-- Events name templates that may belong to no workspace any more; there is nothing to refer to.
CREATE TABLE template_event (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  key TEXT NOT NULL,
  template_name TEXT NOT NULL,
  language TEXT NOT NULL,
  channel_id TEXT,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  reason TEXT,
  value TEXT NOT NULL,
  UNIQUE (workspace_id, key)
) STRICT;
CREATE INDEX template_event_name ON template_event (workspace_id, template_name, at);
CREATE INDEX template_event_channel ON template_event (workspace_id, channel_id, at) WHERE channel_id IS NOT NULL;

CREATE TABLE observation (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  template_ref TEXT NOT NULL,
  at INTEGER NOT NULL,
  field TEXT NOT NULL,
  before TEXT,
  after TEXT
) STRICT;
CREATE INDEX observation_template ON observation (workspace_id, template_ref, at);
CREATE INDEX observation_newest ON observation (workspace_id, at);

-- How far a person has read a conversation: made here, so not part of the cache that counts what is unread.
CREATE TABLE read_mark (
  workspace_id TEXT NOT NULL REFERENCES workspace ON DELETE CASCADE,
  contact TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, contact)
) STRICT, WITHOUT ROWID;
