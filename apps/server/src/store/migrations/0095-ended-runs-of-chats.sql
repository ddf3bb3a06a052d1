-- The latest run of a chat, without reading the runs of all its earlier questions. The index replaces one that ended with `requested_at`.
-- without a transaction: runs may be many, and agents go on writing while the index is built.
drop index concurrently if exists agent_runs_ended_in_chat;
create index concurrently agent_runs_ended_in_chat on agent_runs (chat_id, ended_at, requested_at, id);
drop index concurrently if exists agent_runs_of_chat;
