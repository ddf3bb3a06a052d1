-- Workers take turns between organizations, so they look up the first due job of each.
-- without a transaction: people go on requesting reports while the index is built.
drop index concurrently if exists report_jobs_due_by_organization;
create index concurrently report_jobs_due_by_organization on report_jobs (organization_id, next_attempt_at, id) where state = 'due';
