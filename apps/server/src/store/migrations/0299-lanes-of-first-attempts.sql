-- The lanes with deliveries that have not been attempted yet. These are due, so a claim doesn't look at lanes in which all deliveries wait for a retry.
-- Deliveries behind an earlier one of their key are due at 'infinity', and left out.
-- without a transaction: deliveries may be many, and those who publish do not wait until the index is built. Few rows are in it.
drop index concurrently if exists webhook_deliveries_first_attempts;
create index concurrently webhook_deliveries_first_attempts on webhook_deliveries (endpoint_id, next_attempt_at)
  where state = 'pending' and attempt_count = 0 and next_attempt_at < 'infinity';
