-- Retention of queries that nobody saved, of old runs and of old chats (docs/operating.md, "What is kept, and for how long").

-- A query that nobody saved expires: it is first marked, with the transaction that did it. Lists of a moment before that transaction still show it.
-- The row itself goes when no such list can be asked for any more.
-- Not `deleted_at`: older processes read that column of references, unqualified, in statements that join queries.
alter table queries add column expired_at timestamptz, add column expired_xid xid8;

-- Sweeps that judge the rows of a table one after the other walk through it in the order of its ids, some hundred at a time and
-- once a day. The row is locked while a batch is judged, so that one process at a time does it, and any process goes on where the
-- last one was.
create table sweep_walks (
  kind text primary key,
  -- The last id that was judged; null at the beginning.
  after_id text,
  finished_at timestamptz
);

-- How many actions a record of the audit log stands for, where one record an hour is written of each actor. Beside the record and not
-- in it: a record is never changed.
create table audit_tallies (
  organization_id text not null references organizations (id),
  action text not null,
  -- The kind and the id of who acted.
  actor text not null,
  hour timestamptz not null,
  record_id text not null,
  action_count bigint not null,
  last_at timestamptz not null,
  primary key (organization_id, action, actor, hour)
);
create index audit_tallies_record on audit_tallies (record_id);
create index audit_tallies_age on audit_tallies (hour);
