-- A model writes one past summary at a time for an organization (domain/automations/backtests/model-backtest.ts).
create table model_backtest_turns (
  organization_id text primary key references organizations (id),
  lease_number integer not null default 1,
  lease_expires_at timestamptz not null
);
