-- Webhooks: the endpoints of customers, the events they are told of, and the deliveries that carry each event to each endpoint.

alter table organizations add column webhooks_enabled boolean not null default true;

create table webhook_endpoints (
  -- Ordered by code points, as programs order them: workers remember where in the order of endpoints they are.
  id text collate "C" primary key,
  organization_id text not null references organizations (id),
  url text not null,
  description text,
  event_types text[] not null,
  state text not null check (state in ('enabled', 'disabled')),
  -- Events in a row that used up all their attempts; a successful delivery sets it to 0.
  consecutive_failures integer not null default 0,
  disabled_at timestamptz,
  disabled_reason text,
  -- Encrypted. `next_secret` is shown to admins and not used until one of them makes it the current one.
  secret bytea not null,
  next_secret bytea,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A deleted endpoint gets nothing more; its log goes in portions, and then the row.
  deleted_at timestamptz,
  check ((state = 'disabled') = (disabled_at is not null and disabled_reason is not null))
);
create index webhook_endpoints_oldest_first on webhook_endpoints (organization_id, created_at, id) where deleted_at is null;
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;

create table webhook_events (
  id text collate "C" primary key,
  organization_id text not null references organizations (id),
  type text not null,
  created_at timestamptz not null,
  -- The envelope as it is sent. Text and not jsonb: every attempt carries the same bytes.
  body text not null
);
create index webhook_events_age on webhook_events (created_at);

-- One event for one endpoint. The row is the queue and the log in one. An attempt is never asked for without its delivery,
-- and one write that records it, counts it and sets the next one cannot be done by half.
--
-- No foreign key to webhook_events: both are written in one statement, and the key would cost an index that only deletions use.
create table webhook_deliveries (
  id text collate "C" primary key,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null references webhook_endpoints (id),
  state text not null check (state in ('pending', 'delivered', 'exhausted', 'held')),
  -- A test goes to a disabled endpoint too: people try an endpoint before they enable it.
  is_test boolean not null,
  -- Who asked for it to be sent once more; null for the delivery that the event itself brought.
  requested_by text,
  created_at timestamptz not null,
  -- Recorded attempts.
  attempt_count smallint not null default 0 check (attempt_count between 0 and 8),
  next_attempt_at timestamptz,
  -- A lease is the right to make one attempt. Its number grows with every claim and fences what is recorded under an older one.
  lease_number integer not null default 0,
  lease_owner text,
  lease_expires_at timestamptz,
  -- What happened at each attempt, oldest first.
  attempts jsonb not null default '[]',
  held_at timestamptz,
  ended_at timestamptz,
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'held') = (held_at is not null)),
  check ((state in ('delivered', 'exhausted')) = (ended_at is not null)),
  check ((lease_owner is null) = (lease_expires_at is null))
)
-- A claim writes only columns that no index has, so with room on the page it costs no index anything (a HOT update).
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- The lanes: one an endpoint, each in the order in which its deliveries fall due.
create index webhook_deliveries_lanes on webhook_deliveries (endpoint_id, next_attempt_at) where state = 'pending';
create index webhook_deliveries_log on webhook_deliveries (endpoint_id, created_at desc, id desc);
-- What did not arrive, for the log's filters, for sending it after all and for counting it. A delivery that succeeds is never in it.
create index webhook_deliveries_undelivered on webhook_deliveries (endpoint_id, created_at desc, id desc)
  where state in ('exhausted', 'held');

create table notifications (
  id text primary key,
  organization_id text not null references organizations (id),
  -- Whom it is for.
  user_id text not null references users (id),
  kind text not null check (kind in ('endpoint_failing', 'endpoint_disabled')),
  message text not null,
  -- What it is about, as a path of the pages.
  link text not null,
  created_at timestamptz not null,
  read_at timestamptz
);
create index notifications_newest_first on notifications (organization_id, user_id, created_at desc, id desc);
create index notifications_unread on notifications (organization_id, user_id) where read_at is null;
