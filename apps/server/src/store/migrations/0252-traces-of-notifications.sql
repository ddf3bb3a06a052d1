-- The trace of the change that a notification reports (W3C traceparent); null if there is none. Its e-mail continues it.
alter table notifications add column traceparent text;
