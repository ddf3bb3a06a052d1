-- The pending deliveries of each key, in order, to find its head.
-- without a transaction: deliveries may be many, and those who publish do not wait until the index is built. Few rows are in it.
drop index concurrently if exists webhook_deliveries_by_key;
create index concurrently webhook_deliveries_by_key on webhook_deliveries (endpoint_id, order_key, order_number)
  where state = 'pending' and order_key is not null;
