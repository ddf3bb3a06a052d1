-- Public links to queries and boards, and the runs that their viewers start (docs/share.md).

create table public_links (
  id text primary key,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('reference', 'board')),
  -- The short id of the query reference or the board.
  short_id text not null,
  -- Viewers are found by this hash. The token itself is sealed, so that it can be copied again.
  token_hash bytea not null unique,
  sealed_token bytea not null,
  password_hash text,
  -- What viewers may see and do; the shape is in model/sharing/public-link.ts.
  options jsonb not null,
  expires_at timestamptz,
  created_by text not null references users (id),
  created_at timestamptz not null,
  view_count integer not null default 0,
  last_viewed_at timestamptz
);
create index public_links_newest_first on public_links (organization_id, created_at desc, id desc);
create index public_links_of_item on public_links (organization_id, short_id);

-- Counted against the limits of a link or an embedding secret, then removed.
create table viewer_runs (
  -- The link or the embedding secret.
  viewer_id text not null,
  run_id text not null,
  requested_at timestamptz not null,
  primary key (viewer_id, run_id)
);
create index viewer_runs_newest on viewer_runs (viewer_id, requested_at);
