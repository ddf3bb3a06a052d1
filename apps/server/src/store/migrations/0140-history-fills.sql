-- Filling the history of a query by running it with past values of a date parameter (model/history-fill.ts).
create table history_fills (
  id text primary key,
  organization_id text not null references organizations (id),
  reference_id text not null references query_references (id) on delete cascade,
  parameter text not null,
  -- The values to run with, in order.
  days text[] not null,
  requested_by text not null references users (id),
  requested_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'completed', 'stopped', 'failed')),
  -- How many of the days are done, those that failed included.
  done_count integer not null default 0,
  failed_count integer not null default 0,
  reason text,
  next_attempt_at timestamptz,
  -- For the current day.
  attempt_count integer not null default 0,
  lease_number integer not null default 0,
  recorded_lease_number integer not null default 0
);
create index history_fills_due on history_fills (next_attempt_at, id) where state = 'due';
create unique index history_fills_one_at_a_time on history_fills (reference_id) where state = 'due';
create index history_fills_by_reference on history_fills (reference_id, requested_at);

-- Kept results that stand for a past day. The run is the one that computed it.
create table filled_results (
  reference_id text not null references query_references (id) on delete cascade,
  stands_for timestamptz not null,
  organization_id text not null references organizations (id),
  run_id text not null,
  primary key (reference_id, stands_for)
);
create index filled_results_by_run on filled_results (reference_id, run_id);
