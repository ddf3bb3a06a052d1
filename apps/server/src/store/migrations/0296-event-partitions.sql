-- Events are partitioned by time, so that old ones are removed with their partition (docs/decisions/0052-partitions.md).
--
-- The range is one of ids, which begin with their time (domain/ids.ts): the id remains the primary key, and a lookup by id reads one
-- partition. The existing table becomes the first one, in the same steps as in 0295, which explains them.
-- without a transaction: existing events are checked while others are published. If interrupted, the file starts over and skips what is done.

-- beside older versions: what they publish lies before the bound. Adding the constraint doesn't read the table.
do $$
declare
  digits constant text := '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz';
  bound_at timestamptz := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' + interval '1 week';
  has_bound boolean := exists (
    select from pg_constraint where conrelid = 'webhook_events'::regclass and conname = 'webhook_events_bound');
  bound text;
  rest bigint;
  newest text;
begin
  if (select relkind from pg_class where oid = 'webhook_events'::regclass) = 'p' then return; end if;
  select max(id) into newest from webhook_events;
  -- The first Monday, at least two weeks from now, that no id reaches.
  loop
    bound_at := bound_at + interval '1 week';
    rest := extract(epoch from bound_at)::bigint * 1000;
    bound := '';
    for place in 1..8 loop
      bound := substr(digits, (rest % 55)::integer + 1, 1) || bound;
      rest := rest / 55;
    end loop;
    bound := 'evt_' || bound;
    if has_bound then
      if webhook_events_bound() >= bound collate "C" then return; end if;
    end if;
    continue when bound_at < now() + interval '2 weeks';
    exit when newest is null or newest < bound collate "C";
    -- An id of another kind, which says no time. Such a store keeps its events in the first partition.
    if bound_at > now() + interval '1 year' then
      bound := newest || '~';
      exit;
    end if;
  end loop;
  set local lock_timeout = 1500;
  if has_bound then
    alter table webhook_events drop constraint webhook_events_bound;
    drop function webhook_events_bound();
  end if;
  execute format('create function webhook_events_bound() returns text language sql immutable
    return case when now() < %L::timestamptz then %L end', bound_at - interval '1 day', bound);
  alter table webhook_events add constraint webhook_events_bound check (id < webhook_events_bound()) not valid;
end
$$;

-- beside older versions: validating a constraint reads all rows, but others read and write them at the same time.
do $$
begin
  if exists (
    select from pg_constraint where conrelid = 'webhook_events'::regclass and conname = 'webhook_events_bound' and not convalidated) then
    alter table webhook_events validate constraint webhook_events_bound;
  end if;
end
$$;

-- beside older versions: the table keeps its name and its columns. The locks are held for some milliseconds, in one transaction.
do $$
declare
  bound text;
  granted record;
begin
  if (select relkind from pg_class where oid = 'webhook_events'::regclass) = 'p' then return; end if;
  set local lock_timeout = 1500;
  lock table organizations in share row exclusive mode;
  lock table webhook_events in access exclusive mode;
  bound := webhook_events_bound();
  if bound is null then
    raise exception 'The bound of the first partition is past.' using errcode = 'lock_not_available', hint = 'The migration is retried.';
  end if;

  alter table webhook_events rename to webhook_events_p_first;
  alter index webhook_events_pkey rename to webhook_events_p_first_pkey;
  alter index webhook_events_age rename to webhook_events_p_first_age;
  alter index webhook_events_by_transaction rename to webhook_events_p_first_by_transaction;

  create table webhook_events (
    like webhook_events_p_first including defaults,
    primary key (id),
    constraint webhook_events_organization_id_fkey foreign key (organization_id) references organizations (id)
  ) partition by range (id);
  create index webhook_events_age on webhook_events (created_at);
  create index webhook_events_by_transaction on webhook_events (organization_id, published_xid, created_at);

  execute format('alter table webhook_events attach partition webhook_events_p_first for values from (minvalue) to (%L)', bound);
  alter table webhook_events_p_first drop constraint webhook_events_bound;
  drop function webhook_events_bound();
  create table webhook_events_p_default partition of webhook_events default;

  for granted in
    select case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as grantee, privilege_type,
      case when is_grantable then ' with grant option' else '' end as suffix
    from pg_class, aclexplode(relacl) where oid = 'webhook_events_p_first'::regclass and grantee <> relowner
  loop
    execute format('grant %s on webhook_events to %s%s', granted.privilege_type, granted.grantee, granted.suffix);
  end loop;
end
$$;
