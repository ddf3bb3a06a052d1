-- Which attributes of a member decide about the rows that the member sees; null if everyone sees the same.
alter table analytical_database_configs add column row_rules jsonb;
