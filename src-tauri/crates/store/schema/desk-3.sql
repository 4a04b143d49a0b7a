-- What a send was made of, so that it can be made again, and where it went. Older sends do not know.
ALTER TABLE send ADD COLUMN kind TEXT NOT NULL DEFAULT 'template' CHECK (kind IN ('template', 'text'));
ALTER TABLE send ADD COLUMN request TEXT CHECK (request IS NULL OR json_valid(request));
ALTER TABLE send ADD COLUMN url TEXT;

-- The row of a batch that it was made for. A row that was refused may leave again, any other never.
ALTER TABLE send ADD COLUMN batch_id TEXT;
ALTER TABLE send ADD COLUMN batch_row INTEGER;
CREATE UNIQUE INDEX send_once ON send (batch_id, batch_row) WHERE batch_id IS NOT NULL AND state <> 'refused';
CREATE INDEX send_batch ON send (batch_id, created_at, id) WHERE batch_id IS NOT NULL;

CREATE INDEX send_reference ON send (workspace_id, template_ref, created_at, id) WHERE template_ref IS NOT NULL;
-- The word that lists show.
CREATE INDEX send_state ON send (workspace_id, coalesce(status, state), created_at, id);

-- The rest of what a status says: the inbox that has it is emptied one day.
ALTER TABLE send_outcome ADD COLUMN received_at INTEGER;
ALTER TABLE send_outcome ADD COLUMN pricing TEXT;
ALTER TABLE send_outcome ADD COLUMN conversation TEXT;
ALTER TABLE send_outcome ADD COLUMN callback_data TEXT;
