-- Templates as the provider last listed them.

CREATE TABLE listing (
  workspace_id TEXT PRIMARY KEY,
  -- When the request of the last complete listing left.
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE template (
  id INTEGER PRIMARY KEY,
  -- Place among the last changed: the instant of the change, and what tells those of one instant apart.
  rank INTEGER NOT NULL UNIQUE,
  workspace_id TEXT NOT NULL,
  ref TEXT NOT NULL,
  channel_id TEXT,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  -- The language without the freedom of its notation: en-US and en_US are the same.
  language_key TEXT NOT NULL,
  status TEXT NOT NULL,
  archived INTEGER NOT NULL,
  category TEXT NOT NULL,
  sub_category TEXT,
  kind TEXT NOT NULL,
  business_id TEXT,
  quality TEXT,
  rejected_reason TEXT,
  wabas TEXT NOT NULL,
  header_format TEXT,
  body_text TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- As the provider wrote it. Last: it is long, and lists do not read it.
  record TEXT NOT NULL,
  UNIQUE (workspace_id, ref)
) STRICT;
CREATE INDEX template_name ON template (workspace_id, name, language_key);
CREATE INDEX template_channel ON template (workspace_id, channel_id) WHERE channel_id IS NOT NULL;

-- The combinations of properties that occur, and how many templates have each: facets and totals are sums over them.
-- There is a list for every WABA, and one with the empty WABA for all; in each, a template counts twice: in the
-- combination with its language, and in that of every language.
CREATE TABLE tally (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  waba_id TEXT NOT NULL,
  -- 0: of every language, and `language` is empty.
  one_language INTEGER NOT NULL,
  language TEXT NOT NULL,
  status TEXT NOT NULL,
  category TEXT NOT NULL,
  kind TEXT NOT NULL,
  archived INTEGER NOT NULL,
  n INTEGER NOT NULL,
  UNIQUE (workspace_id, waba_id, one_language, language, status, category, kind, archived)
) STRICT;

-- The templates of a combination in either order. A page of whatever filters is the merge of the combinations that
-- they accept, of which there are few, however many templates there are.
CREATE TABLE entry (
  tally_id INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (tally_id, rank)
) STRICT, WITHOUT ROWID;
CREATE TABLE entry_name (
  tally_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  language TEXT NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (tally_id, name, language, rank)
) STRICT, WITHOUT ROWID;

-- Words of name and body, found by how they begin; and pieces of names. `scope` has a token for each property that
-- lists are filtered by. The row is the template's rank: hits come out in the order of the list.
CREATE VIRTUAL TABLE template_words USING fts5 (
  name, body_text, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);
CREATE VIRTUAL TABLE template_pieces USING fts5 (
  pieces, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER template_unindexed AFTER DELETE ON template BEGIN
  DELETE FROM template_words WHERE rowid = old.rank;
  DELETE FROM template_pieces WHERE rowid = old.rank;
END;

-- The projection of the inbox.

CREATE TABLE cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  inbox_id TEXT NOT NULL,
  seq INTEGER NOT NULL
) STRICT;

CREATE TABLE item (
  id INTEGER PRIMARY KEY,
  route TEXT NOT NULL,
  key TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  field TEXT NOT NULL,
  entry_id TEXT,
  message_id TEXT,
  contact TEXT,
  number_id TEXT,
  template_name TEXT,
  template_language TEXT,
  template_id TEXT,
  status TEXT,
  text TEXT NOT NULL,
  deliveries INTEGER NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (route, key)
) STRICT;
CREATE INDEX item_route ON item (route);
CREATE INDEX item_kind ON item (kind);
CREATE INDEX item_route_kind ON item (route, kind);
CREATE INDEX item_message ON item (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX item_contact ON item (contact) WHERE contact IS NOT NULL;
CREATE INDEX item_template ON item (template_name) WHERE template_name IS NOT NULL;

-- Further deliveries of an item.
CREATE TABLE repeat (
  item_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (item_id, seq, ordinal)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE item_words USING fts5 (
  text, content = 'item', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER item_indexed AFTER INSERT ON item BEGIN
  INSERT INTO item_words (rowid, text) VALUES (new.id, new.text);
END;

-- Items by UTC day of their instant.
CREATE TABLE counter (
  route TEXT NOT NULL,
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (route, day, kind, status)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER item_counted AFTER INSERT ON item BEGIN
  INSERT INTO counter (route, day, kind, status, n)
  VALUES (new.route, new.at / 86400000 - (new.at % 86400000 < 0), new.kind, coalesce(new.status, ''), 1)
  ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TABLE message_status (
  message_id TEXT NOT NULL,
  status TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  error TEXT,
  PRIMARY KEY (message_id, status, at)
) STRICT, WITHOUT ROWID;

-- A message that statuses spoke of. Every column is a function of the set of reports, not of their order.
CREATE TABLE message (
  message_id TEXT PRIMARY KEY,
  route TEXT NOT NULL,
  recipient TEXT,
  tracking_id TEXT,
  callback_data TEXT,
  status TEXT,
  status_at INTEGER,
  failed_at INTEGER,
  error TEXT,
  pricing TEXT,
  conversation TEXT,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;
CREATE INDEX message_tracking ON message (tracking_id) WHERE tracking_id IS NOT NULL;
CREATE INDEX message_recipient ON message (route, recipient, first_at, message_id) WHERE recipient IS NOT NULL;

CREATE TABLE inbound (
  route TEXT NOT NULL,
  contact TEXT NOT NULL,
  at INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  item_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  context_id TEXT,
  value TEXT NOT NULL,
  PRIMARY KEY (route, contact, at, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE contact (
  route TEXT NOT NULL,
  contact TEXT NOT NULL,
  name TEXT,
  name_at INTEGER,
  last_at INTEGER NOT NULL,
  last_id TEXT NOT NULL,
  last_text TEXT NOT NULL,
  unread INTEGER NOT NULL,
  PRIMARY KEY (route, contact)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_newest ON contact (route, last_at, contact);

CREATE TABLE read_mark (
  route TEXT NOT NULL,
  contact TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (route, contact)
) STRICT, WITHOUT ROWID;

CREATE TABLE template_event (
  id INTEGER PRIMARY KEY,
  route TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  channel_id TEXT,
  name TEXT NOT NULL,
  language_key TEXT NOT NULL,
  at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  event TEXT NOT NULL,
  reason TEXT,
  status TEXT,
  archived INTEGER,
  category TEXT,
  quality TEXT,
  value TEXT NOT NULL,
  UNIQUE (route, key)
) STRICT;
CREATE INDEX template_event_name ON template_event (route, name, language_key, at);
CREATE INDEX template_event_channel ON template_event (route, channel_id, at) WHERE channel_id IS NOT NULL;
CREATE INDEX template_event_newest ON template_event (route, received_at);
