-- How many requests API keys and organizations have left: for each budget that is not full, when it will be. See domain/api-limits.
create table api_budgets (
  key text primary key,
  full_at timestamptz not null
);
create index api_budgets_full on api_budgets (full_at);
