-- Workers take turns between organizations, so they look up the first due fill of each.
-- without a transaction: workers go on while the index is built.
drop index concurrently if exists history_fills_due_by_organization;
create index concurrently history_fills_due_by_organization on history_fills (organization_id, next_attempt_at, id) where state = 'due';
