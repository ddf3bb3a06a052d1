-- The change feeds of references (domain/history/feed).

-- A reference that publishes its changes, or once did. The row is also the work of comparing its results: a worker that holds its lease
-- is the only one that adds a change, and every step locks it.
create table change_feeds (
  reference_id text primary key references query_references (id) on delete cascade,
  organization_id text not null references organizations (id),
  is_publishing boolean not null,
  -- Null: inferred from the data.
  chosen_key_columns text[],
  -- The key that rows were last identified by. Null until there is a result.
  key_columns text[],
  -- What is wrong with the last comparison, as a code.
  problem text,
  -- The number of the newest change; 0 before the first one.
  latest_number bigint not null default 0,
  -- The result that the next one is compared with: the one that the newest change leads to, or that the feed began with. It does not
  -- expire.
  head_run_id text,
  head_result_hash text,
  head_row_count bigint,
  -- Where the next result is queued. Taken under the lock of this row, so the queue has the order in which runs ended.
  next_position bigint not null default 1,
  attempt_count integer not null default 0,
  lease_number integer not null default 0,
  -- The last lease whose outcome was recorded.
  recorded_lease_number integer not null default 0,
  -- While a worker has it, the end of the lease. Null while there is nothing to compare.
  next_attempt_at timestamptz,
  updated_at timestamptz not null,
  check ((head_run_id is null) = (head_result_hash is null) and (head_run_id is null) = (head_row_count is null))
);
create index change_feeds_due on change_feeds (next_attempt_at, reference_id) where next_attempt_at is not null;
create index change_feeds_by_head on change_feeds (head_run_id) where head_run_id is not null;

-- Results that have yet to be compared, in the order in which their runs ended. They do not expire.
create table change_feed_results (
  reference_id text not null references change_feeds (reference_id) on delete cascade,
  position bigint not null,
  organization_id text not null,
  run_id text not null,
  -- The parameters of the reference when the run ended: only runs with their default values belong to the feed.
  parameters jsonb not null,
  primary key (reference_id, position)
);
create index change_feed_results_of_run on change_feed_results (run_id);

-- The changes of a reference, numbered 1, 2, 3, … without gaps. Their rows are found by comparing the two results again.
create table reference_changes (
  reference_id text not null references change_feeds (reference_id) on delete cascade,
  number bigint not null,
  organization_id text not null,
  -- When the run with the later result completed.
  at timestamptz not null,
  from_run_id text not null,
  to_run_id text not null,
  from_result_hash text not null,
  to_result_hash text not null,
  key_columns text[] not null,
  is_key_unique boolean not null,
  -- Every row counts as removed and added again, because the columns differ.
  is_replacement boolean not null,
  added bigint not null,
  removed bigint not null,
  changed bigint not null,
  recorded_at timestamptz not null,
  primary key (reference_id, number)
);
