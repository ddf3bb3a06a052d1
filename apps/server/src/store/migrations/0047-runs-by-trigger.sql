-- The recent runs of a person, newest first.
-- without a transaction: runs may be many, and those who add some do not wait until the index is built.
drop index concurrently if exists runs_by_trigger;
create index concurrently runs_by_trigger on runs (organization_id, trigger_id, run_at desc, id desc);
