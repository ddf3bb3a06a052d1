-- All deliveries of one event, for the log's search and for the page of the run that the event tells of. Those that the event itself
-- brought are found in each endpoint's log by their moment, which is the event's. These are the others; they are few, so what is
-- only ever sent once pays nothing for the index.
create index webhook_deliveries_resent on webhook_deliveries (event_id) where requested_by is not null;
