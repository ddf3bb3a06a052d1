-- What the model agent uses, what that costs, and how much of it is allowed.

-- Tokens by day (UTC, by the store's time), person, cause and model. Every request to a model adds to its row as soon as it ends.
create table model_usage (
  organization_id text not null references organizations (id),
  day date not null,
  -- The person who asked, or the creator of the automation.
  user_id text not null references users (id),
  -- What the model worked for: an automation, a chat or an evaluation. It may have been deleted since.
  source_id text not null,
  model text not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  request_count bigint not null,
  primary key (organization_id, day, user_id, source_id, model)
);
create index model_usage_age on model_usage (day);

create table model_budgets (
  organization_id text primary key references organizations (id),
  -- Three letters, such as EUR; null if costs are not tracked.
  currency text,
  -- A list of limits; see model/model-budget.ts.
  limits jsonb not null,
  updated_by text not null references users (id),
  updated_at timestamptz not null
);

-- What a model costs per million tokens, from a day on. The first price of a model also applies to all days before.
create table model_prices (
  organization_id text not null references organizations (id),
  model text not null,
  from_day date not null,
  input_price numeric not null,
  output_price numeric not null,
  primary key (organization_id, model, from_day)
);
