-- Workers take turns between organizations, so they look up the first due delivery of each.
-- without a transaction: deliveries may be many, and workers go on sending while the index is built.
drop index concurrently if exists report_deliveries_due_by_organization;
create index concurrently report_deliveries_due_by_organization on report_deliveries (organization_id, next_attempt_at, id) where state = 'due';
