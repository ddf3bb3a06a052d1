-- Automations with a condition, by due time: a worker asks every second which are due, and must not pass over those that are not.
-- without a transaction: those who write automations do not wait until the index is built.
drop index concurrently if exists automations_watchers_due;
create index concurrently automations_watchers_due on automations (next_due_at, id)
  where next_due_at is not null and condition is not null;
-- Older processes still order by id: with few automations due they find them through the new index, and sort them.
drop index concurrently if exists automations_due_watchers;
