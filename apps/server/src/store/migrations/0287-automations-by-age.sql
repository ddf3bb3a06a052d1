-- Later pages of the list may have to show an automation that has been deleted since.
-- without a transaction: automations go on while the index is built.
drop index concurrently if exists automations_with_deleted;
create index concurrently automations_with_deleted on automations (organization_id, created_at desc, id desc);
