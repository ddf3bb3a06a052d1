-- Alerts whose message waits for the end of a quiet time.
-- without a transaction: automations go on running while the index is built.
drop index concurrently if exists automations_to_announce;
create index concurrently automations_to_announce on automations (announce_at, id) where announce_at is not null;
