-- Former states of chats, kept as long as a page of the published list may still show them: a row says what the list showed until
-- the transaction `replaced_xid` changed it. `revision` orders the states of a chat.
create table chat_history (
  chat_id text not null references chats (id),
  revision integer not null,
  title text not null,
  is_answering boolean not null,
  updated_at timestamptz not null,
  replaced_xid xid8 not null default pg_current_xact_id(),
  replaced_at timestamptz not null,
  primary key (chat_id, revision)
);
create index chat_history_age on chat_history (replaced_at);

-- What people thought of answers: at most one per person and answer.
create table chat_feedback (
  chat_id text not null,
  message_number integer not null,
  user_id text not null references users (id),
  organization_id text not null,
  is_helpful boolean not null,
  remark text,
  updated_at timestamptz not null,
  id text not null unique,
  primary key (chat_id, message_number, user_id),
  foreign key (chat_id, message_number) references chat_messages (chat_id, number)
);
create index chat_feedback_newest_first on chat_feedback (organization_id, updated_at desc, id desc);
