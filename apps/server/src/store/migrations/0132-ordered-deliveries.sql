-- The place of a delivery to an ordered endpoint: its key, and its number within all deliveries. Null for others.
-- The first pending delivery of a key is its head. Only a head is claimed; the ones behind it are due at 'infinity'.
create sequence webhook_delivery_order;
alter table webhook_deliveries add column order_key text, add column order_number bigint;
