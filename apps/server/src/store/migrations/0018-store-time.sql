-- The store's time. Leases, due times and everything else that one process decides about another's work are compared with it, never
-- with a process's own clock. Stable, so that a comparison with it can use an index: it is the time at which the statement began.
-- Tests set it: `set querypost.now = '2026-01-05T09:00:00Z'`.
create function store_now() returns timestamptz language sql stable parallel safe
  return coalesce(nullif(current_setting('querypost.now', true), '')::timestamptz, statement_timestamp());
