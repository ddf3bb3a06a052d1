-- As waiting_runs, for runs with bindings of row rules: a query waits once for the same SQL and the same bindings. Older processes rely on the
-- index of waiting_runs, which allows one row per SQL, so these have a table of their own.
create table waiting_bound_runs (
  -- The id of the run to be.
  id text primary key,
  organization_id text not null,
  query_id uuid not null references queries (id) on delete cascade,
  trigger_id text not null,
  parameter_values jsonb not null,
  parameter_types jsonb not null,
  rendered_sql text not null,
  requested_at timestamptz not null,
  row_bindings text not null
);
create unique index waiting_bound_runs_by_sql on waiting_bound_runs (query_id, md5(rendered_sql), md5(row_bindings));
create index waiting_bound_runs_oldest on waiting_bound_runs (query_id, requested_at, id);
create index waiting_bound_runs_of_organization on waiting_bound_runs (organization_id);

-- beside older versions: it does the same as before with the rows that they write.
create or replace function start_waiting_run() returns trigger language plpgsql as $$
declare
  next record;
begin
  select id, requested_at into next from (
    select id, requested_at from waiting_runs where query_id = new.query_id
    union all select id, requested_at from waiting_bound_runs where query_id = new.query_id) as waiting
  order by requested_at, id limit 1;
  if not found then return null; end if;
  with started as (
    delete from waiting_runs where id = next.id
    returning id, organization_id, query_id, trigger_id, parameter_values, parameter_types, rendered_sql, row_bindings),
  started_bound as (
    delete from waiting_bound_runs where id = next.id
    returning id, organization_id, query_id, trigger_id, parameter_values, parameter_types, rendered_sql, row_bindings)
  insert into runs
    (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql, run_at, row_bindings)
  select id, organization_id, query_id, (select max(number) + 1 from runs where query_id = new.query_id),
    'pending', trigger_id, parameter_values, parameter_types, rendered_sql, store_now(), row_bindings
  from (select * from started union all select * from started_bound) as either;
  return null;
end
$$;
