-- The projection of the delivery log.

CREATE TABLE cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  log_id TEXT NOT NULL,
  -- Of this delivery and those before it, everything is applied.
  seq INTEGER NOT NULL,
  -- Items of the delivery with the next number that are applied already.
  items INTEGER NOT NULL
) STRICT;

-- What items have in common that there are few of: filters by any of it are a handful of classes, each of which is one
-- walk over one index, and how many items there are is a sum over classes. Empty texts stand for nothing.
CREATE TABLE class (
  id INTEGER PRIMARY KEY,
  route TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  number_id TEXT NOT NULL,
  field TEXT NOT NULL,
  entry_id TEXT,
  n INTEGER NOT NULL,
  -- No item of the class has a greater id.
  last_id INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX class_key ON class (route, kind, status, number_id, field, coalesce(entry_id, ''), entry_id IS NULL);

-- Recipients and authors, each once: an event names them by number.
CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- Routes, pricings, and conversations without what differs between them: few texts that many messages have.
CREATE TABLE shared_text (
  id INTEGER PRIMARY KEY,
  value TEXT NOT NULL UNIQUE
) STRICT;

-- The id is the position of the item's first delivery: its seq times 2^20, plus the position in the delivery. So ids are
-- in the order of arrival, new rows go to the end, and a rebuild gives each item the id it had.
CREATE TABLE item_row (
  id INTEGER PRIMARY KEY,
  class INTEGER NOT NULL,
  -- The time of a status in seconds, and 64 bits of a SHA-256 of route and identity; 96 bits of it for other items.
  key BLOB NOT NULL UNIQUE,
  -- Milliseconds from the instant of the item to its arrival.
  delay INTEGER NOT NULL,
  -- The instant; NULL if it is the one that the key starts with.
  at INTEGER,
  -- The row of the message that a status is about.
  message INTEGER,
  -- The identifier of the message that another item is about.
  message_id TEXT,
  -- A person.
  contact INTEGER,
  template_name TEXT,
  template_language TEXT,
  template_id TEXT,
  text TEXT NOT NULL,
  deliveries INTEGER NOT NULL
) STRICT;
CREATE INDEX item_class ON item_row (class);
CREATE INDEX item_contact ON item_row (contact) WHERE contact IS NOT NULL;
CREATE INDEX item_template ON item_row (template_name) WHERE template_name IS NOT NULL;

-- Further deliveries of an item; the id is made as that of an item.
CREATE TABLE repeat (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX repeat_item ON repeat (item_id);

-- Deliveries of items that say nowhere when they happened; the id is made as that of an item. The last one about a
-- subject tells whether the next says something new.
CREATE TABLE undated (
  id INTEGER PRIMARY KEY,
  -- 128 bits of a SHA-256 of route and subject.
  subject BLOB NOT NULL,
  key TEXT NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX undated_subject ON undated (subject, id);

-- When items came, for every 1,024 deliveries: leads from an instant to ids, also where the clock was set back.
CREATE TABLE moment (
  block INTEGER PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;

-- Words of items that have any. `about` has names and identifiers that are found as well.
CREATE VIRTUAL TABLE item_words USING fts5 (
  words, about, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

-- Items by UTC day of their instant.
CREATE TABLE counter (
  class INTEGER NOT NULL,
  day INTEGER NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (class, day)
) STRICT, WITHOUT ROWID;

-- A message that statuses are about. Every column but the id is a function of the set of reports, not of their order.
CREATE TABLE message_row (
  id INTEGER PRIMARY KEY,
  -- 32 bits of a SHA-256 of route and identifier. Messages with equal ones differ in route or identifier.
  hash INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  -- A shared text.
  route INTEGER NOT NULL,
  -- A person.
  recipient INTEGER,
  tracking_id TEXT,
  callback_data TEXT,
  -- A number for a common status, or its word.
  status ANY,
  -- Milliseconds after `first_at`, as all columns with this ending: small numbers take fewer bytes.
  status_after INTEGER,
  failed_after INTEGER,
  error TEXT,
  -- A shared text.
  pricing INTEGER,
  -- The identifier, as bytes if it is 32 hexadecimal digits. Without `conversation_rest`, the whole object.
  conversation ANY,
  -- Seconds since 1970.
  conversation_expires INTEGER,
  -- A shared text: the object with char(1) for the identifier and char(2) for the expiry.
  conversation_rest INTEGER,
  first_at INTEGER NOT NULL,
  last_after INTEGER NOT NULL,
  -- The first delivery of the first report.
  first_seq INTEGER NOT NULL,
  -- Array of [status, at, seq, error], in the order in which it happened: the status as in `status`, `at` and `seq` as
  -- differences to `first_at` and `first_seq`, and without zeros and nulls at the end. Beside the message and not in a
  -- table of their own: messages are written in the order in which they go out, and their statuses follow within seconds.
  reports TEXT NOT NULL
) STRICT;
CREATE INDEX message_hash ON message_row (hash);
CREATE INDEX message_tracking ON message_row (tracking_id) WHERE tracking_id IS NOT NULL;
CREATE INDEX message_recipient ON message_row (recipient, route, first_at) WHERE recipient IS NOT NULL;

-- Items and messages with the texts that their rows refer to, and with absolute numbers, in SQL that SQLite 3.40
-- understands. It takes time to compute instants of items and reports of messages: statements that read these from many
-- rows use the tables.
CREATE VIEW item AS
  SELECT id, class, key, at + delay AS received_at, at, message_id, contact, template_name, template_language,
    template_id, text, deliveries
  FROM (
    SELECT i.id, i.class, i.key, i.delay, coalesce(i.at, 1000 * (
        -- The first 32 bits of the key, by hexadecimal digit.
        SELECT sum(instr('123456789ABCDEF', substr(hex(i.key), 1 + digit.value, 1)) << (28 - 4 * digit.value))
        FROM json_each('[0, 1, 2, 3, 4, 5, 6, 7]') digit
      )) AS at, coalesce(i.message_id, m.message_id) AS message_id, p.name AS contact, i.template_name,
      i.template_language, i.template_id, i.text, i.deliveries
    FROM item_row i LEFT JOIN message_row m ON m.id = i.message LEFT JOIN person p ON p.id = i.contact
  );
CREATE VIEW message AS
  SELECT m.id, m.hash, m.message_id, r.value AS route, p.name AS recipient, m.tracking_id, m.callback_data,
    CASE m.status
      WHEN 0 THEN 'read' WHEN 1 THEN 'delivered' WHEN 2 THEN 'sent' WHEN 3 THEN 'failed' ELSE m.status
    END AS status,
    m.first_at + m.status_after AS status_at, m.first_at + m.failed_after AS failed_at, m.error, v.value AS pricing,
    CASE
      WHEN s.value IS NULL THEN m.conversation
      ELSE replace(
        replace(
          s.value,
          char(1),
          CASE typeof(m.conversation) WHEN 'blob' THEN lower(hex(m.conversation)) ELSE m.conversation END
        ),
        char(2),
        coalesce(m.conversation_expires, '')
      )
    END AS conversation,
    m.first_at, m.first_at + m.last_after AS last_at, m.first_seq,
    (
      SELECT json_group_array(json_array(
        CASE report.value ->> 0
          WHEN 0 THEN 'read' WHEN 1 THEN 'delivered' WHEN 2 THEN 'sent' WHEN 3 THEN 'failed' ELSE report.value ->> 0
        END,
        m.first_at + coalesce(report.value ->> 1, 0),
        m.first_seq + coalesce(report.value ->> 2, 0),
        report.value ->> 3
      )) FROM json_each(m.reports) report
    ) AS reports
  FROM message_row m JOIN shared_text r ON r.id = m.route LEFT JOIN person p ON p.id = m.recipient
    LEFT JOIN shared_text v ON v.id = m.pricing LEFT JOIN shared_text s ON s.id = m.conversation_rest;

-- Received messages, each once.
CREATE TABLE inbound (
  route TEXT NOT NULL,
  -- The author: the user id, or the number of a message without one.
  contact TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Its item, in the order of arrival; of a message that was not received, that of its first revision to arrive.
  item_id INTEGER NOT NULL,
  -- The item that brought it first: its own, or that of a revision.
  arrival INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  -- The number it came to; empty where the delivery names none.
  number_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  -- What an edit or a deletion replaced.
  original_kind TEXT,
  original_text TEXT,
  -- The message that it answers or reacts to.
  context_id TEXT,
  value TEXT NOT NULL,
  -- The last edit by its author, when it was and as received: `text` is that of the edit.
  edited_at INTEGER,
  edit TEXT,
  -- When its author deleted it: then `kind` is `revoke` and `text` is empty.
  deleted_at INTEGER,
  -- 0 for a message that only its edits or its deletion report: the row has the content and the instant of these.
  is_received INTEGER NOT NULL,
  PRIMARY KEY (route, contact, at, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_arrival ON inbound (route, contact, arrival);
CREATE INDEX inbound_message ON inbound (route, message_id);
CREATE INDEX inbound_context ON inbound (context_id) WHERE context_id IS NOT NULL;
CREATE INDEX inbound_missing ON inbound (route, message_id) WHERE is_received = 0;

-- Edits and deletions of received messages, by the message that they change.
CREATE TABLE revision (
  route TEXT NOT NULL,
  original_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  -- The author, as in `inbound`.
  contact TEXT NOT NULL,
  at INTEGER NOT NULL,
  item_id INTEGER NOT NULL,
  number_id TEXT NOT NULL,
  -- The type of the new content; NULL for a deletion.
  kind TEXT,
  text TEXT NOT NULL,
  context_id TEXT,
  value TEXT NOT NULL,
  PRIMARY KEY (route, original_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX revision_item ON revision (item_id);
CREATE INDEX revision_author ON revision (route, contact);

-- Who wrote, each person by the identifier that `identity` names. A contact has one row for each number of ours that they
-- wrote to, and one with the empty number for all: what the list of a number shows is a row.
CREATE TABLE contact (
  route TEXT NOT NULL,
  contact TEXT NOT NULL,
  number_id TEXT NOT NULL,
  -- The name they went by last; with the empty number only.
  name TEXT,
  last_at INTEGER NOT NULL,
  -- The item of the last message: of equal instants, the last to arrive.
  last_item INTEGER NOT NULL,
  last_number TEXT NOT NULL,
  last_kind TEXT NOT NULL,
  last_text TEXT NOT NULL,
  unread INTEGER NOT NULL,
  -- Row of `contact_words`: the item that they were first known by. With the empty number only.
  words_id INTEGER,
  PRIMARY KEY (route, contact, number_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_newest ON contact (route, number_id, last_at, contact);
CREATE INDEX contact_unread ON contact (route, number_id, last_at, contact) WHERE unread > 0;
CREATE INDEX contact_words_row ON contact (words_id) WHERE words_id IS NOT NULL;

-- Names and identifiers of contacts by every three characters in a row. Written for new contacts and new names only.
CREATE VIRTUAL TABLE contact_words USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'trigram remove_diacritics 1'
);

-- Identifiers of one person, and when deliveries said so first and last.
CREATE TABLE identity_link (
  route TEXT NOT NULL,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  -- 0: the number a and its user id b; 1: b replaced a; 2: b is another notation of the number a.
  kind INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (route, a, b, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_link_to ON identity_link (route, b);

-- Derived from the links: the identifier that a person is listed by, for each linked identifier.
CREATE TABLE identity (
  route TEXT NOT NULL,
  alias TEXT NOT NULL,
  person TEXT NOT NULL,
  PRIMARY KEY (route, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_person ON identity (route, person);

-- The last profile name and the last username that came with each identifier.
CREATE TABLE person_name (
  route TEXT NOT NULL,
  alias TEXT NOT NULL,
  is_username INTEGER NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (route, alias, is_username)
) STRICT, WITHOUT ROWID;

-- The last item that was shown of each identifier's messages.
CREATE TABLE read_mark (
  route TEXT NOT NULL,
  contact TEXT NOT NULL,
  item_id INTEGER NOT NULL,
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
  -- The last delivery of an undated event.
  last_seq INTEGER NOT NULL,
  event TEXT NOT NULL,
  reason TEXT,
  status TEXT,
  archived INTEGER,
  category TEXT,
  quality TEXT,
  value TEXT NOT NULL,
  -- The business account of its entry.
  waba TEXT,
  UNIQUE (route, key)
) STRICT;
CREATE INDEX template_event_name ON template_event (route, name, language_key, at);
CREATE INDEX template_event_channel ON template_event (route, channel_id, at) WHERE channel_id IS NOT NULL;
CREATE INDEX template_event_seq ON template_event (seq);
CREATE INDEX template_event_newest ON template_event (route, last_seq);
