-- Pages of the published list of automations show one moment without copying the list
-- (docs/decisions/0003-snapshot-pages.md).

-- Former parts of automations, kept as long as a page may still show them: a row says what the list showed until the transaction
-- `replaced_xid` changed it. Each part changes under the lock of one row, so `number` orders its states as they were committed.
--
-- - settings: columns that people change, and the ids of the references.
-- - state: columns that workers change, often.
-- - run: the status of a run.
-- - removed run: a run of a deleted automation, with its last status.
create table automation_history (
  -- The automation, or the run.
  subject_id text not null,
  part text not null check (part in ('settings', 'state', 'run', 'removed run')),
  number integer not null,
  -- Not a foreign key: checking it would wait for transactions that have locked the automation.
  automation_id text not null,
  former jsonb not null,
  replaced_xid xid8 not null default pg_current_xact_id(),
  replaced_at timestamptz not null,
  primary key (subject_id, part, number)
);
create index automation_history_age on automation_history (replaced_at);
create index automation_history_removed_runs on automation_history (automation_id) where part = 'removed run';

-- `created_xid` is the transaction that created the automation; null for those from before. `revision` counts changes of what the list shows.
alter table automations
  add column created_xid xid8,
  add column revision integer not null default 0;
alter table automations alter column created_xid set default pg_current_xact_id();

-- A transaction that changes the references changes the automation first, so they are still the former ones here.
-- "strict" is quoted because it is a word of PL/pgSQL.
create function keep_listed_automation() returns trigger language plpgsql as $$
begin
  if (old.next_due_at, old.condition_state, old.alert_state) is distinct from (new.next_due_at, new.condition_state, new.alert_state) then
    insert into automation_history (subject_id, part, number, automation_id, replaced_at, former)
    values (old.id, 'state', old.revision, old.id, store_now(), jsonb_build_object('next_due_at', old.next_due_at,
      'condition_state', old.condition_state, 'alert_state', old.alert_state, 'watched_reference_id', old.watched_reference_id));
  end if;
  if (old.name, old.instructions, old.agent, old.enabled, old."strict", old.schedule_cron, old.schedule_time_zone, old.condition,
      old.snoozed_until, old.updated_at, old.deleted_at, old.revision)
    is distinct from (new.name, new.instructions, new.agent, new.enabled, new."strict", new.schedule_cron, new.schedule_time_zone,
      new.condition, new.snoozed_until, new.updated_at, new.deleted_at, new.revision) then
    insert into automation_history (subject_id, part, number, automation_id, replaced_at, former)
    values (old.id, 'settings', old.revision, old.id, store_now(), jsonb_build_object('name', old.name,
      'instructions', old.instructions, 'agent', old.agent, 'enabled', old.enabled, 'strict', old."strict",
      'schedule_cron', old.schedule_cron, 'schedule_time_zone', old.schedule_time_zone, 'condition', old.condition,
      'watched_reference_id', old.watched_reference_id, 'snoozed_until', old.snoozed_until, 'updated_at', old.updated_at,
      'deleted_at', old.deleted_at, 'reference_ids', array(
        select reference_id from automation_references where automation_id = old.id order by position)));
  end if;
  new.revision := old.revision + 1;
  return new;
end
$$;
-- beside older versions: it writes to a table that only newer processes read, and to a column that they don't know.
create trigger automations_keep_listed before update on automations
  for each row when (
    (old.name, old.instructions, old.agent, old.enabled, old."strict", old.schedule_cron, old.schedule_time_zone, old.condition,
      old.snoozed_until, old.updated_at, old.deleted_at, old.revision, old.next_due_at, old.condition_state, old.alert_state)
    is distinct from (new.name, new.instructions, new.agent, new.enabled, new."strict", new.schedule_cron, new.schedule_time_zone,
      new.condition, new.snoozed_until, new.updated_at, new.deleted_at, new.revision, new.next_due_at, new.condition_state,
      new.alert_state))
  execute function keep_listed_automation();
