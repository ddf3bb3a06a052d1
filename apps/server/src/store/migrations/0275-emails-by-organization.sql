-- Workers take turns between organizations, so they look up the first due e-mail of each.
-- without a transaction: workers go on while the index is built.
drop index concurrently if exists notifications_email_due_by_organization;
create index concurrently notifications_email_due_by_organization on notifications (organization_id, email_next_attempt_at, id) where email_state = 'due';
