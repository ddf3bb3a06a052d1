-- The trace of the change that an event reports (W3C traceparent); null if there is none. Its deliveries continue it.
alter table webhook_events add column traceparent text;
