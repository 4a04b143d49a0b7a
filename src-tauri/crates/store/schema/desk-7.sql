-- Facts that a provider may leave unsaid.

-- Since October 2026 the type of a price decides whether a message is charged; `billable` only where there is no type.
UPDATE send SET billable = (
    SELECT CASE
        WHEN lower(json_extract(pricing, '$.subtype')) = 'paid_exempt' THEN 0
        WHEN lower(substr(json_extract(pricing, '$.type'), 1, 5)) = 'free_' THEN 0
        WHEN lower(json_extract(pricing, '$.type')) = 'regular' THEN 1
        ELSE json_extract(pricing, '$.billable') END
    FROM send_outcome WHERE send_id = send.id AND json_valid(pricing) ORDER BY at DESC, status DESC LIMIT 1)
  WHERE EXISTS (SELECT 1 FROM send_outcome WHERE send_id = send.id AND json_valid(pricing)
    AND coalesce(json_extract(pricing, '$.type'), json_extract(pricing, '$.subtype')) IS NOT NULL);

-- `played` only informs: where it had replaced a status, that one is the state again.
UPDATE send SET (status, status_at) = (
    SELECT status, min(at) FROM send_outcome WHERE send_id = send.id AND status IN ('sent', 'failed', 'delivered', 'read')
    GROUP BY status ORDER BY CASE status WHEN 'read' THEN 4 WHEN 'delivered' THEN 3 WHEN 'failed' THEN 2 ELSE 1 END DESC
    LIMIT 1)
  WHERE status = 'played' AND EXISTS (SELECT 1 FROM send_outcome
    WHERE send_id = send.id AND status IN ('sent', 'failed', 'delivered', 'read'));

-- Sends without an answer whose row a person let leave once more, although they may have arrived: from then on another
-- send stands for the row.
ALTER TABLE send ADD COLUMN resent_at INTEGER;
DROP INDEX send_once;
CREATE UNIQUE INDEX send_once ON send (batch_id, batch_row)
  WHERE batch_id IS NOT NULL AND state <> 'refused' AND resent_at IS NULL;

-- The business account that an event about a template came from; older events do not know.
ALTER TABLE template_event ADD COLUMN waba TEXT;
