-- The questions and instructions of a chat, from which its exchanges and paths are read without reading the other messages.
-- without a transaction: messages may be many, and agents go on writing while the index is built.
drop index concurrently if exists chat_messages_questions;
create index concurrently chat_messages_questions on chat_messages (chat_id, number) where kind in ('instruction', 'question');
