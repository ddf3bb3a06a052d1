-- Pending tests, which also go to disabled endpoints: a claim finds them beside everything else that waits to be held there.
-- without a transaction: deliveries may be many, and those who publish do not wait until the index is built. Few rows are in it.
drop index concurrently if exists webhook_deliveries_pending_tests;
create index concurrently webhook_deliveries_pending_tests on webhook_deliveries (endpoint_id, next_attempt_at)
  where state = 'pending' and is_test;
