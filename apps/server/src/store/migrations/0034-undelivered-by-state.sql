-- Deliveries that did not arrive, by state. The index it replaces held both states in one order, so counting or listing what is held
-- read everything that is exhausted, too. A delivery that succeeds is in neither.
-- without a transaction: deliveries may be many, and those who publish do not wait until the index is built.
drop index concurrently if exists webhook_deliveries_undelivered_by_state;
create index concurrently webhook_deliveries_undelivered_by_state on webhook_deliveries (endpoint_id, state, created_at desc, id desc)
  where state in ('exhausted', 'held');
-- The statements of older processes name one state each, so the new index serves them as well.
drop index concurrently if exists webhook_deliveries_undelivered;
