-- Retries by due time, so that a claim finds the lanes in which one is due without looking at those in which none is.
-- without a transaction: deliveries may be many, and those who publish do not wait until the index is built. Few rows are in it.
drop index concurrently if exists webhook_deliveries_retries;
create index concurrently webhook_deliveries_retries on webhook_deliveries (next_attempt_at, endpoint_id)
  where state = 'pending' and attempt_count > 0;
