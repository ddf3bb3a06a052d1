-- Chats of evaluations: they can be opened, but are not listed.
alter table chats add column is_hidden boolean not null default false;
