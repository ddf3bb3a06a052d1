-- The oldest changes, which are removed first.
-- without a transaction: feeds go on while the index is built.
drop index concurrently if exists reference_changes_by_age;
create index concurrently reference_changes_by_age on reference_changes (recorded_at);
