-- An organization's events in the order of their transactions, for those who listen. The time is in it for those who ask for the events of
-- the last minutes: older ones are passed over without their rows.
-- without a transaction: events may be many, and those who publish some do not wait until the index is built.
drop index concurrently if exists webhook_events_by_transaction;
create index concurrently webhook_events_by_transaction on webhook_events (organization_id, published_xid, created_at);
