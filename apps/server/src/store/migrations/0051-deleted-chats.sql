-- Deleted chats, to remove their rows once no page can show them.
-- without a transaction: chats may be many, and agents go on writing while the index is built.
drop index concurrently if exists chats_deleted;
create index concurrently chats_deleted on chats (deleted_at) where deleted_at is not null;
