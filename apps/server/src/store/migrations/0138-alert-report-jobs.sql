-- The message of an alert that a job sends; null for the report of a run and for a test.
alter table report_jobs add column alert_number integer;
