-- The trace in which a report was prepared (W3C traceparent); null if there is none.
alter table report_deliveries add column traceparent text;
