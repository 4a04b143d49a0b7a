-- What one receiver stored from one start on. Only the newest stream of a node is open.
CREATE TABLE template_desk.stream (
  id uuid PRIMARY KEY,
  node text NOT NULL,
  -- Order of the streams of a node.
  ordinal bigint NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  started_at bigint NOT NULL,
  UNIQUE (node, ordinal)
);

-- The months in which a stream has deliveries. Each month has a table of its own, delivery_YYYY_MM: dropping it costs
-- nothing, and every database that speaks PostgreSQL's protocol can do that.
CREATE TABLE template_desk.segment (
  stream uuid NOT NULL,
  month text NOT NULL,
  first_seq bigint NOT NULL,
  PRIMARY KEY (stream, month)
);

CREATE TABLE template_desk.desk (
  name text PRIMARY KEY,
  token_hash text NOT NULL UNIQUE,
  -- JSON array of the endpoints that it sees; empty for all.
  endpoints text NOT NULL,
  created_at bigint NOT NULL
);
