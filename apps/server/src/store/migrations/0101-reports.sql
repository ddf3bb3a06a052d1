-- What is sent after an automation's run, to whom and when (model/report.ts).
create table reports (
  id text primary key,
  organization_id text not null references organizations (id),
  automation_id text not null references automations (id),
  content jsonb not null,
  target jsonb not null,
  -- The channel of the target, so that it cannot be deleted while a report needs it.
  channel_id text references channels (id),
  sent_when text not null check (sent_when in ('always', 'notable', 'condition')),
  recipient_values jsonb,
  attachments jsonb not null,
  is_enabled boolean not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The log of its deliveries stays.
  deleted_at timestamptz
);
create index reports_of_automation on reports (automation_id, created_at, id) where deleted_at is null;
create index reports_of_channel on reports (channel_id) where deleted_at is null and channel_id is not null;
create index reports_deleted on reports (deleted_at) where deleted_at is not null;

-- One report after one run, or a test, until it is prepared.
create table report_jobs (
  id text primary key,
  organization_id text not null references organizations (id),
  report_id text not null references reports (id) on delete cascade,
  -- Null for a test.
  agent_run_id text,
  -- Who asked for the test, and whether it goes to that person alone.
  requested_by text references users (id),
  is_for_requester boolean not null default false,
  is_notable boolean not null,
  is_condition_met boolean not null,
  -- Results of queries that started before this are too old.
  results_since timestamptz not null,
  requested_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'prepared', 'skipped', 'failed')),
  reason text,
  attempt_count integer not null default 0,
  lease_number integer not null default 0,
  -- While a worker prepares it, the end of the lease. Null once it is no longer due.
  next_attempt_at timestamptz,
  ended_at timestamptz
);
create index report_jobs_due on report_jobs (next_attempt_at, id) where state = 'due';
create index report_jobs_by_end on report_jobs (ended_at) where ended_at is not null;
create index report_jobs_of_report on report_jobs (report_id);

-- Rendered documents. They never change.
create table report_contents (
  id text primary key,
  organization_id text not null references organizations (id),
  document jsonb not null,
  created_at timestamptz not null
);
create index report_contents_by_time on report_contents (created_at);

-- The images and attachments of a document.
create table report_files (
  content_id text not null references report_contents (id) on delete cascade,
  position integer not null,
  -- For an image, its id in the document.
  image_id text,
  file_name text not null,
  content_type text not null,
  -- Base64, which both stores read faster than bytea.
  content text not null,
  primary key (content_id, position)
);

-- One document for one recipient.
create table report_deliveries (
  id text primary key,
  organization_id text not null references organizations (id),
  report_id text not null references reports (id) on delete cascade,
  -- Null for a request to confirm an address.
  job_id text references report_jobs (id) on delete cascade,
  agent_run_id text,
  purpose text not null check (purpose in ('report', 'test', 'confirmation')),
  -- An e-mail address in lower case, or the name of the channel.
  recipient text not null,
  -- The member with that address; null for an outside address and for a channel.
  user_id text,
  channel_id text,
  recipient_values jsonb,
  content_id text not null references report_contents (id),
  state text not null check (state in ('due', 'sent', 'failed', 'dropped')),
  drop_reason text,
  attempts jsonb not null default '[]',
  attempt_count integer not null default 0,
  lease_number integer not null default 0,
  -- The last lease under which an attempt was recorded, so that recording it again changes nothing.
  recorded_lease integer not null default 0,
  -- Someone sent it again. Each time it counts as another message, which mail programs show although they know the first.
  resend_count integer not null default 0,
  -- While a worker sends it, the end of the lease. Null once it is no longer due.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);
-- A recipient may get several sets of values, but each only once.
create unique index report_deliveries_once on report_deliveries
  (job_id, recipient, md5(coalesce(recipient_values::text, ''))) where job_id is not null;
create index report_deliveries_due on report_deliveries (next_attempt_at, id) where state = 'due';
create index report_deliveries_newest_first on report_deliveries (organization_id, created_at desc, id desc);
create index report_deliveries_of_report on report_deliveries (report_id, created_at desc, id desc);
create index report_deliveries_of_content on report_deliveries (content_id);
create index report_deliveries_by_time on report_deliveries (created_at);

-- Outside addresses.
create table report_addresses (
  organization_id text not null references organizations (id),
  -- In lower case.
  email text not null,
  state text not null default 'unconfirmed' check (state in ('unconfirmed', 'confirmed', 'bounced')),
  requested_by text not null references users (id),
  requested_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (organization_id, email)
);

create table report_unsubscriptions (
  report_id text not null references reports (id) on delete cascade,
  -- In lower case.
  email text not null,
  unsubscribed_at timestamptz not null,
  primary key (report_id, email)
);
