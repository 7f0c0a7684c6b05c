CREATE TABLE IF NOT EXISTS queues (
    name TEXT PRIMARY KEY,
    visibility_seconds INTEGER NOT NULL,
    max_receives INTEGER,
    dead_queue TEXT,
    content_based INTEGER NOT NULL
) STRICT;

-- `seq` is the order of delivery within a group; AUTOINCREMENT so that it never repeats.
CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    message_group TEXT NOT NULL,
    deduplication TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    sent_ms INTEGER NOT NULL,
    visible_ms INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0,
    first_receive_ms INTEGER,
    receipt TEXT,
    source_queue TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS messages_in_order ON messages (queue, seq);
CREATE INDEX IF NOT EXISTS messages_in_flight ON messages (queue, visible_ms);

CREATE TABLE IF NOT EXISTS deduplications (
    queue TEXT NOT NULL,
    deduplication TEXT NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplication)
) STRICT, WITHOUT ROWID;
