-- The primary key of audit_log once it is partitioned by time (0295): the key of a partitioned table includes the time.
-- without a transaction: records may be many, and are written while the index is built.
drop index concurrently if exists audit_log_by_id;
-- beside older versions: ids are unique already, so they are unique together with a time.
create unique index concurrently audit_log_by_id on audit_log (id, occurred_at);
