-- Listening: programs that hear of events over a connection of their own, without an endpoint.
--
-- What a listener has heard is said by a snapshot, not by a time, since a transaction may commit later than its timestamp says. So
-- an event carries the transaction that published it; null for those of before. The default fills it for older processes too.
-- A test is a sample, which tells of no run.
alter table webhook_events add column published_xid xid8, add column is_test boolean not null default false;
alter table webhook_events alter column published_xid set default pg_current_xact_id();

-- Who listens now, at whichever process: one row a connection, good until `listening_until` and prolonged by its process.
-- Without a reference to organizations, which would lock them: a row is gone in a minute.
create table event_listeners (
  id text primary key,
  organization_id text not null,
  key_id text not null,
  listening_until timestamptz not null
);
create index event_listeners_organization on event_listeners (organization_id, key_id);
