-- Workers take turns between organizations, so they look up the first due feed of each.
-- without a transaction: workers go on while the index is built.
drop index concurrently if exists change_feeds_due_by_organization;
create index concurrently change_feeds_due_by_organization on change_feeds (organization_id, next_attempt_at, reference_id) where next_attempt_at is not null;
