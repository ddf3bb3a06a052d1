-- The kept results of references (domain/history).

-- The bytes of kept results, each stored once per organization. A row is here before the first byte is written and until the last one is
-- removed, so leftovers of a process that died are found. A *chain* is a whole document and the differences that build on it.
create table archive_objects (
  id text primary key,
  organization_id text not null references organizations (id),
  -- The SHA-256 hash of the document, uncompressed.
  content_hash text not null,
  -- The whole document that the chain begins with; the object itself if it is whole. Its row is the lock of the chain.
  key_id text not null references archive_objects (id),
  -- The object that a difference builds on; null for a whole document.
  base_id text references archive_objects (id),
  -- The number of differences in the chain up to this one, and their size in bytes.
  chain_length integer not null,
  chain_bytes bigint not null,
  place text not null check (place in ('files', 'postgres', 's3')),
  -- The multipart upload it is being written by, so that it can be aborted.
  upload_id text,
  document_bytes bigint not null,
  -- Both null while it is being written.
  stored_bytes bigint,
  written_at timestamptz,
  created_at timestamptz not null,
  -- From then on nothing can use it any more. Its bytes stay for a day, for those who are reading it.
  removed_at timestamptz,
  check ((written_at is null) = (stored_bytes is null)),
  check ((base_id is null) = (chain_length = 0))
);
create index archive_objects_by_content on archive_objects (organization_id, content_hash) where written_at is not null and removed_at is null;
create index archive_objects_of_chain on archive_objects (key_id, chain_length);
create index archive_objects_by_base on archive_objects (base_id) where base_id is not null;
create index archive_objects_unwritten on archive_objects (created_at) where written_at is null;
create index archive_objects_removed on archive_objects (removed_at) where removed_at is not null;

-- The bytes of objects whose place is 'postgres', cut into pieces of equal size, the last one shorter.
create table archive_pieces (
  object_id text not null references archive_objects (id),
  number integer not null,
  bytes bytea not null,
  primary key (object_id, number)
);
-- They are compressed already.
alter table archive_pieces alter column bytes set storage external;

-- The result of one run as a result of one reference.
create table archived_results (
  reference_id text not null references query_references (id) on delete cascade,
  run_id text not null,
  organization_id text not null references organizations (id),
  -- The SQL is that of the query, the values are those of the run; both outlive the run.
  query_id uuid not null,
  parameter_values jsonb not null,
  parameter_types jsonb not null,
  -- When the run completed.
  at timestamptz not null,
  row_count bigint not null,
  -- The size and the hash of the compressed result, as the result route sends it.
  size_bytes bigint not null,
  result_hash text not null,
  -- Null once the result is removed and its bytes are gone.
  object_id text references archive_objects (id) on delete set null,
  -- For pages of a snapshot.
  archived_xid xid8 not null default pg_current_xact_id(),
  removed_xid xid8,
  removed_at timestamptz,
  primary key (reference_id, run_id)
);
create index archived_results_newest_first on archived_results (reference_id, at desc, run_id desc);
create index archived_results_of_object on archived_results (object_id);
create index archived_results_removed on archived_results (removed_at) where removed_at is not null;

-- Pinned results never expire. A row stays after it is unpinned as long as pages may show the time before.
create table result_pins (
  id text primary key,
  reference_id text not null references query_references (id) on delete cascade,
  run_id text not null,
  pinned_by text not null,
  pinned_at timestamptz not null,
  pinned_xid xid8 not null default pg_current_xact_id(),
  unpinned_xid xid8,
  unpinned_at timestamptz
);
create unique index result_pins_current on result_pins (reference_id, run_id) where unpinned_at is null;
create index result_pins_of_result on result_pins (reference_id, run_id);
create index result_pins_former on result_pins (unpinned_at) where unpinned_at is not null;

-- Completed runs whose result has yet to be kept.
create table archive_jobs (
  run_id text primary key,
  organization_id text not null references organizations (id),
  requested_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'archived', 'skipped', 'failed')),
  reason text,
  attempt_count integer not null default 0,
  lease_number integer not null default 0,
  -- While a worker has it, the end of the lease. Null once it is no longer due.
  next_attempt_at timestamptz,
  ended_at timestamptz
);
create index archive_jobs_due on archive_jobs (next_attempt_at, run_id) where state = 'due';
create index archive_jobs_by_end on archive_jobs (ended_at) where ended_at is not null;

-- How long results are kept. Organizations and references without a row have the defaults.
create table result_history_settings (
  organization_id text primary key references organizations (id),
  kept_days integer not null,
  kept_count integer not null,
  kept_bytes bigint not null,
  updated_at timestamptz not null
);
create table reference_history_settings (
  reference_id text primary key references query_references (id) on delete cascade,
  -- Null: as in the organization.
  kept_days integer,
  kept_count integer,
  updated_at timestamptz not null
);
