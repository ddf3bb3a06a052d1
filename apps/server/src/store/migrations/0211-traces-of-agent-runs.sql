-- The trace in which an agent run was requested (W3C traceparent); null if there is none.
alter table agent_runs add column traceparent text;
