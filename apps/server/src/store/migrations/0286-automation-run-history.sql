-- The statuses of automations' runs that the published list of automations showed before (0285).

-- A run is pending, running with lease 1, perhaps pending again, running with lease 2, and so on. The numbers follow that order.
create function keep_listed_run() returns trigger language plpgsql as $$
begin
  insert into automation_history (subject_id, part, number, automation_id, replaced_at, former)
  values (old.id, 'run', 2 * old.lease_number - (old.status = 'running')::integer, old.automation_id, store_now(),
    jsonb_build_object('status', old.status))
  on conflict do nothing;
  return null;
end
$$;

-- While an automation exists, its newest runs do, too.
create function keep_removed_run() returns trigger language plpgsql as $$
begin
  insert into automation_history (subject_id, part, number, automation_id, replaced_at, former)
  select old.id, 'removed run', 0, old.automation_id, store_now(), jsonb_build_object('status', old.status,
    'is_stopped', old.status = 'failed' and old.stop_requested_by is not null, 'requested_at', old.requested_at,
    'ended_at', old.ended_at, 'short_id', chats.short_id, 'created_xid', chats.created_xid::text)
  from chats
  where chats.id = old.chat_id and exists (
    select from automations where automations.id = old.automation_id and automations.deleted_at > store_now() - interval '8 days');
  return null;
end
$$;

-- beside older versions: it writes to a table that only newer processes read.
create trigger agent_runs_keep_listed after update of status on agent_runs
  for each row when (old.automation_id is not null and old.status <> new.status) execute function keep_listed_run();
-- beside older versions: it writes to a table that only newer processes read.
create trigger agent_runs_keep_removed after delete on agent_runs
  for each row when (old.automation_id is not null) execute function keep_removed_run();
