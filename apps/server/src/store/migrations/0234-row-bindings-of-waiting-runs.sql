-- As in runs.
alter table waiting_runs add column row_bindings text;

-- beside older versions: it does the same as before, and copies a column that is null in the rows that they write.
create or replace function start_waiting_run() returns trigger language plpgsql as $$
declare
  next waiting_runs;
begin
  delete from waiting_runs where id = (
    select id from waiting_runs where query_id = new.query_id order by requested_at, id limit 1)
  returning * into next;
  if found then
    insert into runs
      (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql, run_at, row_bindings)
    values (next.id, next.organization_id, next.query_id,
      (select max(number) + 1 from runs where query_id = next.query_id),
      'pending', next.trigger_id, next.parameter_values, next.parameter_types, next.rendered_sql, store_now(), next.row_bindings);
  end if;
  return null;
end
$$;
