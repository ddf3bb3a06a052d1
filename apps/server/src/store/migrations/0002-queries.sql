-- Queries, the references that point to them, and the runs whose results are cached.
--
-- A page of a list must show what a snapshot showed (docs/decisions/0003-snapshot-pages.md), so every row that a list
-- shows carries the ids of the transactions that made it what it is: xid8 values that pg_visible_in_snapshot() judges.

create table analytical_database_configs (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  engine text not null check (engine in ('duckdb')),
  -- What the engine needs to open the database; its shape depends on `engine`.
  settings jsonb not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  unique (organization_id, id)
);
create unique index analytical_database_configs_name on analytical_database_configs (organization_id, lower(name));

-- A query never changes once it is stored, so its only transaction is the one that created it.
create table queries (
  id uuid primary key,
  organization_id text not null references organizations (id),
  sql text not null,
  analytical_database_config_id text not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_xid xid8 not null default pg_current_xact_id(),
  unique (organization_id, id),
  foreign key (organization_id, analytical_database_config_id)
    references analytical_database_configs (organization_id, id)
);
create index queries_newest_first on queries (organization_id, created_at desc, id desc);

create table query_references (
  id text primary key,
  organization_id text not null references organizations (id),
  short_id text not null unique,
  title text not null,
  description text,
  is_optimistic boolean not null,
  query_id uuid not null,
  -- An optimistic reference reserves the id of a query that does not exist yet; every other one points to a stored
  -- query of its own organization.
  stored_query_id uuid generated always as (case when is_optimistic then null else query_id end) stored,
  visualization jsonb,
  parameters jsonb not null default '[]',
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- The transaction that wrote this version of the row, and the one that deleted it.
  version_xid xid8 not null default pg_current_xact_id(),
  deleted_xid xid8,
  -- False once the deletion is older than the kept history: no page can show the row any more.
  is_listed boolean not null default true,
  foreign key (organization_id, stored_query_id) references queries (organization_id, id)
);
-- First pages read living rows only; later pages may have to show a row that has been deleted meanwhile. Those that were
-- deleted before the sequence began are passed over within the index, by deleted_xid.
create index query_references_newest_first on query_references (organization_id, created_at desc, id desc)
  where deleted_at is null;
create index query_references_deleted_newest_first
  on query_references (organization_id, created_at desc, id desc, deleted_xid)
  where deleted_at is not null and is_listed;
create index query_references_query on query_references (query_id, created_at, id) where deleted_at is null;
create index query_references_deleted on query_references (deleted_at) where deleted_at is not null and is_listed;

-- Versions of references that have been replaced, kept as long as a page may still ask for them. Written by a trigger, so
-- that no way of changing a reference can forget it.
create table query_reference_history (
  reference_id text not null,
  title text not null,
  description text,
  is_optimistic boolean not null,
  query_id uuid not null,
  updated_at timestamptz not null,
  version_xid xid8 not null,
  -- The transaction that replaced this version.
  replaced_xid xid8 not null,
  replaced_at timestamptz not null
);
create index query_reference_history_version on query_reference_history (reference_id, replaced_xid);
create index query_reference_history_age on query_reference_history (replaced_at);

create function keep_query_reference_history() returns trigger language plpgsql as $$
begin
  -- Two changes in one transaction: nobody ever saw the first.
  if old.version_xid <> pg_current_xact_id() then
    insert into query_reference_history
      (reference_id, title, description, is_optimistic, query_id, updated_at, version_xid, replaced_xid, replaced_at)
    values
      (old.id, old.title, old.description, old.is_optimistic, old.query_id, old.updated_at, old.version_xid,
       pg_current_xact_id(), coalesce(new.deleted_at, new.updated_at));
  end if;
  new.version_xid := pg_current_xact_id();
  if new.deleted_at is not null then
    new.deleted_xid := pg_current_xact_id();
  end if;
  return new;
end
$$;
create trigger query_references_keep_history before update on query_references
  for each row when (old.deleted_at is null) execute function keep_query_reference_history();

create table runs (
  id text primary key,
  organization_id text not null,
  query_id uuid not null,
  -- 1, 2, 3, … within the query: the latest run is the one with the highest number.
  number integer not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  trigger_id text not null,
  parameter_values jsonb not null,
  parameter_types jsonb not null,
  rendered_sql text not null,
  run_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  failure_reason text,
  rows_read bigint,
  rows_written bigint,
  row_count bigint,
  -- The stored result's compressed size and the hash of its bytes; set when the run completed.
  result_size_bytes bigint,
  result_hash text,
  result_removed_at timestamptz,
  -- The worker that runs it, and until when it is believed to be alive.
  lease_owner text,
  lease_expires_at timestamptz,
  stop_requested_by text,
  -- The transactions that made it pending, running and ended: its status in any snapshot follows from these.
  created_xid xid8 not null default pg_current_xact_id(),
  started_xid xid8,
  ended_xid xid8,
  foreign key (organization_id, query_id) references queries (organization_id, id),
  check ((status in ('completed', 'failed')) = (completed_at is not null)),
  check ((status = 'failed') = (failure_reason is not null)),
  check ((status = 'running') <= (started_at is not null and lease_owner is not null))
);
create unique index runs_latest on runs (query_id, number desc);
-- At most one pending or running run a query.
create unique index runs_one_unfinished on runs (query_id) where status in ('pending', 'running');
create index runs_pending on runs (run_at, id) where status = 'pending';
create index runs_leased on runs (lease_expires_at) where status = 'running';
create index runs_latest_completed on runs (query_id, number desc) where status = 'completed';
create index runs_stored_results on runs (completed_at) where status = 'completed' and result_removed_at is null;
