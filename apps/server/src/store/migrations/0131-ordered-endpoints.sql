-- Endpoints that receive the events of a key in order (decision 42).
-- `is_releasing`: its held deliveries are being released. New events join behind them.
alter table webhook_endpoints
  add column is_ordered boolean not null default false,
  add column is_releasing boolean not null default false;
