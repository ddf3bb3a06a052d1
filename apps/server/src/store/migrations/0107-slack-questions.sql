-- Questions that people asked in Slack, until they are answered there (model/slack-question.ts).
create table slack_questions (
  id text primary key,
  organization_id text not null references organizations (id),
  channel_id text not null references channels (id) on delete cascade,
  -- Slack repeats an event whose receipt it has not seen.
  event_id text not null,
  slack_user_id text not null,
  conversation text not null,
  -- The message that starts the thread of the answer.
  thread_ts text not null,
  -- Whether people of another workspace read the conversation.
  is_shared boolean not null,
  -- Emptied once it has ended: then the chat has it.
  question text not null,
  state text not null default 'due' check (state in ('due', 'waiting', 'answered', 'declined', 'failed', 'dropped')),
  -- Why it was not answered, or what the last attempt met.
  reason text,
  -- The chat in which it was asked. Not a reference: chats are deleted without regard to this table.
  chat_id text,
  chat_short_id text,
  question_number integer,
  -- The reply in the thread, which is updated, and how many steps it tells of.
  reply_ts text,
  told_steps integer not null default 0,
  attempt_count integer not null default 0,
  lease_number integer not null default 0,
  -- The last lease under which an attempt was recorded, so that recording it again changes nothing.
  recorded_lease integer not null default 0,
  -- While a worker holds it, the end of the lease. Null once it has ended.
  next_attempt_at timestamptz,
  received_at timestamptz not null,
  ended_at timestamptz
);
create unique index slack_questions_once on slack_questions (channel_id, event_id);
create index slack_questions_due on slack_questions (next_attempt_at, id) where state in ('due', 'waiting');
create index slack_questions_of_thread on slack_questions (channel_id, conversation, thread_ts, received_at);
create index slack_questions_of_chat on slack_questions (chat_id) where state = 'waiting';
create index slack_questions_newest_first on slack_questions (channel_id, received_at desc);
create index slack_questions_by_time on slack_questions (received_at);

-- What admins see of the connection: it works if Slack's requests arrive.
create table slack_connections (
  channel_id text primary key references channels (id) on delete cascade,
  organization_id text not null references organizations (id),
  -- The last request of Slack with a valid signature.
  last_event_at timestamptz,
  -- The last request without one.
  last_rejected_at timestamptz,
  -- The last request of a workspace that is not the bot's.
  last_foreign_at timestamptz
);
