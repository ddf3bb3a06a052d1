-- Evaluations by age, for the sweep, which read all of them.
-- without a transaction: evaluations may be many, and are changed while the index is built.
drop index concurrently if exists evaluations_ended;
create index concurrently evaluations_ended on evaluations (ended_at) where ended_at is not null;
