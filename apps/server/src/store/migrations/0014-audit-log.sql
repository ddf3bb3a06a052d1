-- What people, keys and the service itself have done in an organization, and how its API keys are used.

-- Written in the transaction of what it tells of. Nothing but the sweeper takes a row away, and nothing changes one.
create table audit_log (
  id text primary key,
  organization_id text not null references organizations (id),
  occurred_at timestamptz not null,
  -- One of the table in domain/audit/actions.ts.
  action text not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'agent', 'service', 'operator', 'anonymous')),
  -- Who acted: a user, an API key, or the run of an agent; null where nobody can be named.
  actor_id text,
  -- Of a key or of an automation. All names are those of the moment.
  actor_name text,
  -- The person who acted, or for whom a key or an agent did.
  user_id text,
  user_name text,
  user_email text,
  subject_type text not null,
  subject_id text,
  subject_name text,
  details jsonb not null,
  -- Where the request came from, as its socket says.
  address text,
  request_id text
);
-- A page of the log, and of what each filter leaves of it, is read from one of these.
create index audit_log_time on audit_log (organization_id, occurred_at desc, id desc);
create index audit_log_action on audit_log (organization_id, action, occurred_at desc, id desc);
create index audit_log_actor on audit_log (organization_id, actor_id, occurred_at desc, id desc);
create index audit_log_user on audit_log (organization_id, user_id, occurred_at desc, id desc);
create index audit_log_subject on audit_log (organization_id, subject_id, occurred_at desc, id desc);
create index audit_log_request on audit_log (organization_id, request_id, occurred_at desc, id desc)
  where request_id is not null;
create index audit_log_age on audit_log (occurred_at);

create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'Records of the audit log are never changed.';
end
$$;
create trigger audit_log_is_never_changed before update on audit_log
  for each row execute function refuse_change_of_audit_log();

-- How often a key was used, by route and hour. A key that is gone with its member is still told of, so it has no reference.
create table key_use (
  organization_id text not null references organizations (id),
  key_id text not null,
  hour timestamptz not null,
  -- As `GET /api/me`.
  route text not null,
  key_name text not null,
  user_id text not null,
  request_count bigint not null,
  -- Of these: answered with 4xx, and with 5xx.
  refused_count bigint not null,
  failed_count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_status smallint not null,
  last_address text,
  primary key (organization_id, key_id, hour, route)
);
create index key_use_age on key_use (hour);
