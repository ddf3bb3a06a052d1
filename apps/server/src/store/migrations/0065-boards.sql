-- Boards: pages of tiles over queries (docs/boards.md).

create table boards (
  id text primary key,
  organization_id text not null references organizations (id),
  short_id text not null unique,
  folder_id text references folders (id),
  -- The current version, as in board_versions.
  version integer not null,
  title text not null,
  description text,
  -- The parameters, tabs and tiles; their shape is in model/board.ts.
  content jsonb not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
-- First pages read existing boards only. Later pages may have to show a board that has been deleted since.
create index boards_existing_newest_first on boards (organization_id, created_at desc, id desc) where deleted_at is null;
create index boards_newest_first on boards (organization_id, created_at desc, id desc);
create index boards_in_folder on boards (folder_id) where deleted_at is null;
create index boards_deleted on boards (deleted_at) where deleted_at is not null;

-- Every saved state of a board, who saved it and when, with the transaction that did.
create table board_versions (
  board_id text not null references boards (id) on delete cascade,
  -- 1, 2, 3, … within the board.
  number integer not null,
  folder_id text,
  title text not null,
  description text,
  content jsonb not null,
  -- The version that was restored with this one, if any.
  restored_number integer,
  is_deletion boolean not null default false,
  changed_by text not null references users (id),
  changed_at timestamptz not null,
  version_xid xid8 not null default pg_current_xact_id(),
  primary key (board_id, number)
);
create index board_versions_by_transaction on board_versions (board_id, number desc, version_xid);

-- Images that tiles show.
create table board_images (
  id text primary key,
  organization_id text not null references organizations (id),
  content_type text not null check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  -- Base64, which both stores read faster than bytea.
  content text not null,
  created_by text not null references users (id),
  created_at timestamptz not null
);
create index board_images_of_organization on board_images (organization_id);

-- Runs that wait until their query has no unfinished run. The trigger of 0069 starts the oldest one whenever a run ends.
create table waiting_runs (
  -- The id of the run to be.
  id text primary key,
  organization_id text not null,
  query_id uuid not null references queries (id) on delete cascade,
  trigger_id text not null,
  parameter_values jsonb not null,
  parameter_types jsonb not null,
  rendered_sql text not null,
  requested_at timestamptz not null
);
-- A query waits once for the same SQL.
create unique index waiting_runs_by_sql on waiting_runs (query_id, md5(rendered_sql));
create index waiting_runs_oldest on waiting_runs (query_id, requested_at, id);
create index waiting_runs_of_organization on waiting_runs (organization_id);
