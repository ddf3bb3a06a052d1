-- Workers take turns between organizations, so they look up the first due question of each.
-- without a transaction: workers go on while the index is built.
drop index concurrently if exists slack_questions_due_by_organization;
create index concurrently slack_questions_due_by_organization on slack_questions (organization_id, next_attempt_at, id) where state in ('due', 'waiting');
