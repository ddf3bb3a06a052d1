-- Questions with known answers, and how well the model answers them.

create table question_sets (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  -- A list of questions with the results that answer them; see model/question-set.ts.
  questions jsonb not null,
  -- When it is evaluated; `next_due_at` is the first time that has not been handled.
  schedule_cron text,
  schedule_time_zone text,
  next_due_at timestamptz,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((schedule_cron is null) = (schedule_time_zone is null)),
  check (next_due_at is null or schedule_cron is not null)
);
create unique index question_sets_name on question_sets (organization_id, lower(name));
create index question_sets_due on question_sets (next_due_at, id) where next_due_at is not null;

-- One run of all questions of a set.
create table evaluations (
  id text primary key,
  organization_id text not null references organizations (id),
  question_set_id text not null references question_sets (id) on delete cascade,
  -- What was special about it, in the words of the person who started it.
  label text,
  model text not null,
  trigger text not null check (trigger in ('person', 'api', 'schedule')),
  trigger_id text not null,
  -- The person on whose behalf the model reads data.
  user_id text not null references users (id),
  requested_at timestamptz not null,
  ended_at timestamptz
);
create unique index evaluations_one_unfinished on evaluations (question_set_id) where ended_at is null;
create index evaluations_newest_first on evaluations (question_set_id, requested_at desc, id desc);

-- The answer to one question. The agent run and the chat are removed earlier than this, so nothing refers to them.
create table evaluation_answers (
  evaluation_id text not null references evaluations (id) on delete cascade,
  position integer not null,
  -- As it was when the evaluation started.
  question jsonb not null,
  status text not null check (status in ('waiting', 'running', 'correct', 'wrong', 'failed', 'stopped')),
  -- The agent run that answers it; null while it waits.
  agent_run_id text,
  chat_short_id text,
  -- The query run whose result was compared.
  run_id text,
  -- How the result differs, or why there is none.
  explanation text,
  ended_at timestamptz,
  primary key (evaluation_id, position)
);
create index evaluation_answers_of_agent_run on evaluation_answers (agent_run_id) where agent_run_id is not null;
