-- Automations, the agent runs that they trigger, and the chats which these write into.

-- What happened, in the order in which it happened: messages of people and of agents, and the steps between them.
create table chats (
  id text primary key,
  organization_id text not null references organizations (id),
  short_id text not null unique,
  title text not null,
  -- Grows with every change. A message carries the revision that changed it last, so a page asks for what is newer than it has.
  revision integer not null default 0,
  -- How many messages it has: the number of the next one is one more, whoever else writes at the same time.
  message_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, id)
);
create index chats_newest_first on chats (organization_id, created_at desc, id desc);

create table automations (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  instructions text not null,
  agent text not null check (agent in ('digest', 'model')),
  enabled boolean not null,
  -- The schedule; `next_due_at` is kept while the automation is enabled and has one.
  schedule_cron text,
  schedule_time_zone text,
  next_due_at timestamptz,
  -- The condition, and the reference whose results are judged by it.
  condition jsonb,
  watched_reference_id text references query_references (id),
  -- A completed run of the watched reference's query that has not been judged yet: set by the statement that ends the run.
  unjudged_run_id text,
  -- What was found the last time.
  condition_state jsonb,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (organization_id, id),
  check ((schedule_cron is null) = (schedule_time_zone is null)),
  check ((condition is null) = (watched_reference_id is null)),
  check (next_due_at is null or (enabled and schedule_cron is not null and deleted_at is null))
);
create index automations_newest_first on automations (organization_id, created_at desc, id desc) where deleted_at is null;
create index automations_due on automations (next_due_at, id) where next_due_at is not null and condition is null;
create index automations_due_watchers on automations (id) where next_due_at is not null and condition is not null;
create index automations_watching on automations (watched_reference_id) where watched_reference_id is not null and deleted_at is null;
create index automations_unjudged on automations (id) where unjudged_run_id is not null;

-- The references that an automation looks at, in the order in which the person named them.
create table automation_references (
  automation_id text not null references automations (id),
  position integer not null,
  reference_id text not null references query_references (id),
  primary key (automation_id, position),
  unique (automation_id, reference_id)
);

-- One task for an agent: an automation's run, or the answer to a question in a chat.
create table agent_runs (
  id text primary key,
  organization_id text not null,
  -- Null for an answer in a chat.
  automation_id text,
  chat_id text not null,
  agent text not null check (agent in ('digest', 'model')),
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  -- What caused it, and who: a user, a key, or the automation itself.
  trigger text not null check (trigger in ('schedule', 'condition', 'person', 'api', 'question')),
  trigger_id text not null,
  -- Whose eyes it looks with: the automation's creator, or the person who asks.
  user_id text not null references users (id),
  -- The automation's instructions when the run was requested, or the question.
  instructions text not null,
  requested_at timestamptz not null,
  -- For a schedule: the time that was due, and how many more had passed before somebody could attend to it.
  due_at timestamptz,
  missed_count integer not null default 0,
  started_at timestamptz,
  ended_at timestamptz,
  summary text,
  failure_reason text,
  event_id text,
  -- How often somebody has begun it. A worker that dies leaves it to another, which begins anew.
  attempt_count integer not null default 0,
  -- A lease is the right to carry it out. Its number grows with every claim and fences what is written under an older one.
  lease_number integer not null default 0,
  lease_owner text,
  lease_expires_at timestamptz,
  stop_requested_by text,
  -- What the model used: tokens in and out. Null where no model was asked.
  usage jsonb,
  foreign key (organization_id, automation_id) references automations (organization_id, id),
  foreign key (organization_id, chat_id) references chats (organization_id, id),
  check ((automation_id is null) = (trigger = 'question')),
  check ((status in ('completed', 'failed')) = (ended_at is not null)),
  check ((status = 'failed') = (failure_reason is not null)),
  check ((status = 'completed') = (summary is not null)),
  check ((status = 'running') = (lease_owner is not null)),
  check ((lease_owner is null) = (lease_expires_at is null))
);
-- One run of an automation at a time, and one at work in a chat.
create unique index agent_runs_one_unfinished on agent_runs (automation_id) where status in ('pending', 'running');
create unique index agent_runs_one_in_chat on agent_runs (chat_id) where status in ('pending', 'running');
create index agent_runs_pending on agent_runs (requested_at, id) where status = 'pending';
create index agent_runs_pending_of on agent_runs (organization_id, requested_at, id) where status = 'pending';
create index agent_runs_leased on agent_runs (lease_expires_at) where status = 'running';
create index agent_runs_of_automation on agent_runs (automation_id, requested_at desc, id desc);
create index agent_runs_of_chat on agent_runs (chat_id, requested_at);

create table chat_messages (
  chat_id text not null references chats (id),
  -- 1, 2, 3, … within the chat.
  number integer not null,
  -- Which run wrote it; null for what a person wrote.
  agent_run_id text references agent_runs (id),
  -- Which person wrote it; null for what an agent wrote.
  user_id text references users (id),
  kind text not null,
  -- Its shape depends on `kind`; see domain/chats/chat.ts.
  content jsonb not null,
  revision integer not null,
  created_at timestamptz not null,
  primary key (chat_id, number)
);
create index chat_messages_news on chat_messages (chat_id, revision);

-- What the digest agent saw of a reference in the automation's latest completed run, to compare the next one with.
-- Results live for a day, and a weekly automation compares with last week.
create table automation_observations (
  automation_id text not null references automations (id),
  reference_id text not null references query_references (id),
  agent_run_id text not null references agent_runs (id),
  content jsonb not null,
  primary key (automation_id, reference_id)
);

-- The model that an organization's agents ask.
create table model_settings (
  organization_id text primary key references organizations (id),
  provider text not null check (provider in ('openai_compatible', 'anthropic')),
  base_url text not null,
  model text not null,
  -- Encrypted; null for a server that asks for none.
  api_key bytea,
  updated_by text not null references users (id),
  updated_at timestamptz not null
);

-- Data connector plugins: servers of the Model Context Protocol whose tools the model agent may use.
create table data_connectors (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  url text not null,
  -- The headers that each request carries: their names, and (encrypted) JSON of names and values. Null where there are none.
  header_names text[] not null,
  headers bytea,
  enabled boolean not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index data_connectors_name on data_connectors (organization_id, lower(name));

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('endpoint_failing', 'endpoint_disabled', 'run_failed'));
-- The notification as an e-mail: null where none is to be sent. The row is the queue, as with deliveries.
alter table notifications add column email_state text check (email_state in ('due', 'sent', 'failed'));
alter table notifications add column email_attempt_count integer not null default 0;
alter table notifications add column email_next_attempt_at timestamptz;
alter table notifications add constraint notifications_email_check
  check ((email_state is not distinct from 'due') = (email_next_attempt_at is not null));
create index notifications_email_due on notifications (email_next_attempt_at) where email_state = 'due';
create index notifications_age on notifications (created_at);

-- Whether a person wants notifications by e-mail too, where the operator has set up a mail server.
alter table users add column email_notifications boolean not null default true;
