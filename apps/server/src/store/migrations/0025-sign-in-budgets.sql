-- How many failed sign-ins are still allowed, for all processes together: see domain/people/sign-in-limits.ts.
--
-- A row exists while its budget is not full; a full one says nothing and is swept. Rows are made only by attempts that are let
-- through to a password hash, so their number is bounded by how many hashes the processes compute within an hour, whatever
-- strangers send.
create table sign_in_budgets (
  -- What it is a budget of, as `account:<hash>` or `address:203.0.113.7`. At most some 60 characters; e-mails are hashed.
  key text primary key,
  -- When the budget is full again. Each failure moves it further away.
  full_at timestamptz not null
);
create index sign_in_budgets_full on sign_in_budgets (full_at);
