-- The audit log is partitioned by time, so that old records are removed with their partition (docs/decisions/0052-partitions.md).
--
-- The existing table becomes the first partition, up to a Monday at least two weeks from now. Newer records go to partitions that sweeps
-- create, or to the default partition.
-- without a transaction: existing records are checked while others are written. If interrupted, the file starts over and skips what is done.

-- PostgreSQL attaches a table without reading it if a check constraint says that its rows are in range. If this migration never finishes,
-- the constraint must not reject records once the bound is past. So the bound is a function that returns null a day earlier, and a check
-- that is null passes. It is declared immutable, because only then does PostgreSQL use its value to compare the constraint with the range.
-- beside older versions: what they write lies before the bound. Adding the constraint doesn't read the table.
do $$
declare
  bound timestamptz := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' + interval '3 weeks';
  newest timestamptz;
begin
  if (select relkind from pg_class where oid = 'audit_log'::regclass) = 'p' then return; end if;
  if exists (select from pg_constraint where conrelid = 'audit_log'::regclass and conname = 'audit_log_bound') then
    if audit_log_bound() > now() + interval '1 week' then return; end if;
    set local lock_timeout = 1500;
    alter table audit_log drop constraint audit_log_bound;
    drop function audit_log_bound();
  end if;
  -- A process whose clock is ahead may have written later records.
  select max(occurred_at) into newest from audit_log;
  if newest >= bound then bound := date_trunc('week', newest at time zone 'UTC') at time zone 'UTC' + interval '3 weeks'; end if;
  execute format('create function audit_log_bound() returns timestamptz language sql immutable
    return case when now() < %L::timestamptz then %L::timestamptz end', bound - interval '1 day', bound);
  set local lock_timeout = 1500;
  alter table audit_log add constraint audit_log_bound check (occurred_at < audit_log_bound()) not valid;
end
$$;

-- beside older versions: validating a constraint reads all rows, but others read and write them at the same time.
do $$
begin
  if exists (
    select from pg_constraint where conrelid = 'audit_log'::regclass and conname = 'audit_log_bound' and not convalidated) then
    alter table audit_log validate constraint audit_log_bound;
  end if;
end
$$;

-- beside older versions: the table keeps its name and its columns. The locks are held for some milliseconds, in one transaction.
do $$
declare
  bound timestamptz;
  granted record;
begin
  if (select relkind from pg_class where oid = 'audit_log'::regclass) = 'p' then return; end if;
  set local lock_timeout = 1500;
  lock table organizations in share row exclusive mode;
  lock table audit_log in access exclusive mode;
  bound := audit_log_bound();
  if bound is null then
    raise exception 'The bound of the first partition is past.' using errcode = 'lock_not_available', hint = 'The migration is retried.';
  end if;

  drop trigger audit_log_is_never_changed on audit_log;
  alter table audit_log drop constraint audit_log_pkey;
  alter table audit_log add constraint audit_log_pkey primary key using index audit_log_by_id;
  alter table audit_log rename to audit_log_p_first;
  alter index audit_log_pkey rename to audit_log_p_first_pkey;
  alter index audit_log_time rename to audit_log_p_first_time;
  alter index audit_log_action rename to audit_log_p_first_action;
  alter index audit_log_actor rename to audit_log_p_first_actor;
  alter index audit_log_user rename to audit_log_p_first_user;
  alter index audit_log_subject rename to audit_log_p_first_subject;
  alter index audit_log_request rename to audit_log_p_first_request;
  alter index audit_log_age rename to audit_log_p_first_age;

  create table audit_log (
    like audit_log_p_first including defaults including constraints,
    primary key (id, occurred_at),
    constraint audit_log_organization_id_fkey foreign key (organization_id) references organizations (id)
  ) partition by range (occurred_at);
  alter table audit_log drop constraint audit_log_bound;
  create index audit_log_time on audit_log (organization_id, occurred_at desc, id desc);
  create index audit_log_action on audit_log (organization_id, action, occurred_at desc, id desc);
  create index audit_log_actor on audit_log (organization_id, actor_id, occurred_at desc, id desc);
  create index audit_log_user on audit_log (organization_id, user_id, occurred_at desc, id desc);
  create index audit_log_subject on audit_log (organization_id, subject_id, occurred_at desc, id desc);
  create index audit_log_request on audit_log (organization_id, request_id, occurred_at desc, id desc)
    where request_id is not null;
  create index audit_log_age on audit_log (occurred_at);

  execute format('alter table audit_log attach partition audit_log_p_first for values from (minvalue) to (%L)', bound);
  alter table audit_log_p_first drop constraint audit_log_bound;
  drop function audit_log_bound();
  create table audit_log_p_default partition of audit_log default;
  create trigger audit_log_is_never_changed before update on audit_log
    for each row execute function refuse_change_of_audit_log();

  for granted in
    select case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as grantee, privilege_type,
      case when is_grantable then ' with grant option' else '' end as suffix
    from pg_class, aclexplode(relacl) where oid = 'audit_log_p_first'::regclass and grantee <> relowner
  loop
    execute format('grant %s on audit_log to %s%s', granted.privilege_type, granted.grantee, granted.suffix);
  end loop;
end
$$;
