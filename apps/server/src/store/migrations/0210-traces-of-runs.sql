-- The trace in which a run was requested (W3C traceparent); null if there is none.
alter table runs add column traceparent text;
