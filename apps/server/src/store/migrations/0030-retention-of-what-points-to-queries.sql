-- without a transaction: references and messages may be many, and those who add some do not wait until the indexes are built.

-- Whether a query has ever been saved. Also what the foreign key asks for when a query is removed.
drop index concurrently if exists query_references_stored_query;
create index concurrently query_references_stored_query on query_references (stored_query_id);
drop index concurrently if exists query_reference_history_query;
create index concurrently query_reference_history_query on query_reference_history (query_id);
-- What the foreign keys ask for when an agent run is removed.
drop index concurrently if exists chat_messages_agent_run;
create index concurrently chat_messages_agent_run on chat_messages (agent_run_id) where agent_run_id is not null;
drop index concurrently if exists automation_observations_agent_run;
create index concurrently automation_observations_agent_run on automation_observations (agent_run_id);
