-- Places outside Querypost where reports go (model/channel.ts).
create table channels (
  id text primary key,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('slack_webhook', 'slack_bot', 'teams', 'webhook')),
  name text not null,
  settings jsonb not null,
  sealed_secret bytea,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_reason text,
  -- Deliveries in a row that failed for good.
  failure_count integer not null default 0,
  last_used_at timestamptz,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index channels_of_organization on channels (organization_id, created_at, id);
