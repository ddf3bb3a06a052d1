-- The workers that hold a lock while they are connected, so that others notice when one is gone. See store/workers/worker-registry.ts.
create table present_workers (
  id text primary key,
  lock_number integer not null unique
);
create sequence worker_lock_numbers as integer cycle;
