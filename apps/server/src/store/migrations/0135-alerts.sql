-- Alerts: conditions with a state (model/alert.ts).

-- The state, as decided from the last result; null before the first one.
alter table automations add column alert_state jsonb;
-- The number of the last change. It grows even if the alert is removed and set up again.
alter table automations add column alert_number integer not null default 0;
alter table automations add column snoozed_until timestamptz;
-- When a message that waits for the end of a quiet time is due.
alter table automations add column announce_at timestamptz;

-- The changes of an alert's state.
create table alert_changes (
  automation_id text not null references automations (id),
  number integer not null,
  organization_id text not null references organizations (id),
  at timestamptz not null,
  status text not null check (status in ('ok', 'firing', 'resolved', 'no_data', 'failing')),
  severity text check (severity in ('info', 'warning', 'critical')),
  finding text not null,
  -- The query run whose result, or failure, it is about.
  run_id text,
  -- The new rows, if it is about new rows.
  rows jsonb,
  -- The number of the change whose message announced it: its own, or a later one if the alert was quiet. Null: not announced.
  announced_by integer,
  quiet_because text check (quiet_because in ('snoozed', 'muted')),
  primary key (automation_id, number)
);
create index alert_changes_unannounced on alert_changes (automation_id, number) where announced_by is null;

-- One message of an alert: what people were notified, and when.
create table alert_messages (
  automation_id text not null references automations (id),
  -- That of the latest change that it announces.
  number integer not null,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('fired', 'resolved', 'no_data', 'failing', 'recovered')),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  finding text not null,
  at timestamptz not null,
  -- For a change that is announced by an event.
  event_id text,
  primary key (automation_id, number)
);

-- What is known of one result of a reference, by the name of the measure, so that it is read once for all alerts and backtests.
create table result_measures (
  reference_id text not null references query_references (id) on delete cascade,
  measure text not null,
  run_id text not null,
  organization_id text not null references organizations (id),
  -- When the result was computed, or the past day that it describes.
  at timestamptz not null,
  -- A decimal; null if the result has no value.
  value text,
  -- Why the result has no such value, if its columns are the reason.
  fault text,
  primary key (reference_id, measure, run_id)
);
create index result_measures_by_time on result_measures (reference_id, measure, at);
create index result_measures_by_age on result_measures (at);
