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
-- lists are filtered by. The row is the template's rank: hits come out in the order of the list. A beginning without a
-- prefix index is looked up by gathering all hits of all words that begin so, before the first comes out.
CREATE VIRTUAL TABLE template_words USING fts5 (
  name, body_text, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2',
  prefix = '1 2 3 4 5 6 7 8'
);
CREATE VIRTUAL TABLE template_pieces USING fts5 (
  pieces, scope, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER template_unindexed AFTER DELETE ON template BEGIN
  DELETE FROM template_words WHERE rowid = old.rank;
  DELETE FROM template_pieces WHERE rowid = old.rank;
END;
