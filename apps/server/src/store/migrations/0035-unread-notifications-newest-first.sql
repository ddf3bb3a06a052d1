-- Unread notifications in the order in which they are listed: without it, the list of unread ones walked all that had been read.
-- without a transaction: those who are notified do not wait until the index is built.
drop index concurrently if exists notifications_unread_newest_first;
create index concurrently notifications_unread_newest_first on notifications (organization_id, user_id, created_at desc, id desc)
  where read_at is null;
-- Older processes count what is unread, which the new index serves as well.
drop index concurrently if exists notifications_unread;
