-- CRC-32 over the rest of the row: SQLite finds a page that is out of shape, not one in which a letter is another.
-- Rows of before have none.
ALTER TABLE delivery ADD COLUMN crc INTEGER;

-- No sequence number up to the floor is given again, and so many below the last one are taken out in order: what is
-- missing beyond them was lost.
ALTER TABLE meta ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE meta ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
