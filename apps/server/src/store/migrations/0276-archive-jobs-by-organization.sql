-- Workers take turns between organizations, so they look up the first due job of each.
-- without a transaction: workers go on while the index is built.
drop index concurrently if exists archive_jobs_due_by_organization;
create index concurrently archive_jobs_due_by_organization on archive_jobs (organization_id, next_attempt_at, run_id) where state = 'due';
