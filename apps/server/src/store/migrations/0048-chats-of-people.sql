-- Chats that people start with a question, and a list of chats that shows one moment.
--
-- `created_by` is the person who started the chat; null for the chat of an automation. `created_xid` is the transaction that created it;
-- null for chats from before. Its default fills it for older processes too. `state_changed_at` is when the chat was created, renamed, or
-- its agent last started or ended; null until then. A deleted chat keeps an empty row while a page may still show it.
alter table chats
  add column created_by text,
  add column created_xid xid8,
  add column state_changed_at timestamptz,
  add column deleted_at timestamptz;
alter table chats alter column created_xid set default pg_current_xact_id();
