-- The results that a run reads with ref(…), so that its own result can be explained and repeated.
create table run_inputs (
  -- Of a run, or of one that still waits in waiting_runs.
  run_id text not null,
  -- In the order in which the SQL first names them, from 1.
  position integer not null,
  organization_id text not null references organizations (id),
  reference_id text not null,
  parameter_values jsonb not null,
  -- The run whose result is read. While it is unfinished, the run waits.
  input_run_id text not null,
  status text not null check (status in ('waiting', 'completed', 'failed')),
  -- Null unless completed.
  result_hash text,
  primary key (run_id, position)
);
create index run_inputs_waiting on run_inputs (input_run_id) where status = 'waiting';

-- Whenever a run ends, the runs that wait for it learn of it in the same transaction.
create function end_run_inputs() returns trigger language plpgsql as $$
begin
  update run_inputs set status = new.status, result_hash = new.result_hash where input_run_id = new.id and status = 'waiting';
  return null;
end
$$;
-- beside older versions: it changes only rows that newer processes have written.
create trigger runs_end_inputs after update of status on runs
  for each row when (old.status in ('pending', 'running') and new.status in ('completed', 'failed'))
  execute function end_run_inputs();
