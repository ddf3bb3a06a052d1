-- Git repositories that push their files with signed requests. See domain/repositories.
create table git_repositories (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  -- Where people find the files.
  url text not null,
  sealed_secret bytea not null,
  -- The secret that was replaced, which is valid until the end of the overlap.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- The item behind each path, as the last push left it: { path: { kind, id, hash, name } }.
  known jsonb not null,
  -- When the last applied push was signed, by the clock of its sender. Pushes that are not newer are refused.
  last_signed_at timestamptz,
  last_pushed_at timestamptz,
  created_by text not null references users (id),
  created_at timestamptz not null
);
create index git_repositories_of_organization on git_repositories (organization_id, created_at desc, id desc);
