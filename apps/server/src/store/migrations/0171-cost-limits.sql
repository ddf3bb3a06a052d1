-- See model/cost-limits.ts; null without limits.
alter table organizations add column cost_limits jsonb;
