-- The trace in which a report was requested (W3C traceparent); null if there is none.
alter table report_jobs add column traceparent text;
