-- Whenever a run ends, the query's oldest waiting run becomes pending, in the same transaction: neither can be lost.
create function start_waiting_run() returns trigger language plpgsql as $$
declare
  next waiting_runs;
begin
  delete from waiting_runs where id = (
    select id from waiting_runs where query_id = new.query_id order by requested_at, id limit 1)
  returning * into next;
  if found then
    insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql, run_at)
    values (next.id, next.organization_id, next.query_id,
      (select max(number) + 1 from runs where query_id = next.query_id),
      'pending', next.trigger_id, next.parameter_values, next.parameter_types, next.rendered_sql, store_now());
  end if;
  return null;
end
$$;
-- beside older versions: the runs it adds are ordinary ones, and only newer processes make runs wait.
create trigger runs_start_waiting after update of status on runs
  for each row when (old.status in ('pending', 'running') and new.status in ('completed', 'failed'))
  execute function start_waiting_run();
