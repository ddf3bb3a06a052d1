-- What the pages show of a run while it goes on and when it fails, the undoing of a deletion, and the search of references.

-- Rows written by a run that is running, and how far its engine says it is (0 to 100); told every few seconds by the worker
-- that holds it. The place of the fault in `rendered_sql`, counted from 1, where the engine names one.
alter table runs
  add column row_count_so_far bigint,
  add column progress real,
  add column error_line integer,
  add column error_column integer;

-- A reference that comes back is a new version, begun by the transaction that brought it back: pages of a moment before that
-- find its older versions in the history, or find that it was deleted then.
create function restore_query_reference() returns trigger language plpgsql as $$
begin
  new.version_xid := pg_current_xact_id();
  new.deleted_xid := null;
  new.is_listed := true;
  return new;
end
$$;
create trigger query_references_restore before update on query_references
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function restore_query_reference();

-- The words of a text, without case and accents. `normalize` takes a letter apart from its accents, which are then dropped.
-- Whatever is neither letter nor digit separates: `orders.customer_id` has three words.
create function search_words(content text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct left(word, 40)), '{}')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(content, NFKD), '[\u0300-\u036f]', '', 'g')),
    '[^0-9a-z\u00c0-\u1fff\u2c00-\U0010ffff]+') as word
  where word <> ''
$$;

-- An index over words cannot begin with the organization as others do, so every word begins with a sign of it: looking for the
-- beginning of a word costs what the organization's own words cost, however many others there are.
create function search_lexemes(organization_id text, content text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(left(md5(organization_id), 6) || word), '{}') from unnest(search_words(content)) as word
$$;

-- What a living reference is found by. It stands beside the references, which every page reads, to keep those slim. Written by a
-- trigger, so that no way of changing a reference can forget it; a query's SQL never changes.
create table query_reference_search (
  reference_id text primary key references query_references (id) on delete cascade,
  organization_id text not null,
  -- Null while the reference is optimistic.
  analytical_database_config_id text,
  created_by text not null,
  created_at timestamptz not null,
  words tsvector not null
);

create function index_query_reference() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from query_reference_search where reference_id = new.id;
    return null;
  end if;
  insert into query_reference_search
    (reference_id, organization_id, analytical_database_config_id, created_by, created_at, words)
  select new.id, new.organization_id, queries.analytical_database_config_id, new.created_by, new.created_at,
    array_to_tsvector(search_lexemes(
      -- The beginning of a long text says what it is about, and a list of words has room for so many.
      new.organization_id, concat_ws(' ', new.title, new.description, left(queries.sql, 20000))))
  from (select) as one left join queries on queries.id = new.stored_query_id
  on conflict (reference_id) do update
    set analytical_database_config_id = excluded.analytical_database_config_id, words = excluded.words;
  return null;
end
$$;
create trigger query_references_index
  after insert or update of title, description, query_id, is_optimistic, deleted_at on query_references
  for each row execute function index_query_reference();

insert into query_reference_search
  (reference_id, organization_id, analytical_database_config_id, created_by, created_at, words)
select reference.id, reference.organization_id, queries.analytical_database_config_id, reference.created_by,
  reference.created_at, array_to_tsvector(search_lexemes(
    reference.organization_id, concat_ws(' ', reference.title, reference.description, left(queries.sql, 20000))))
from query_references as reference left join queries on queries.id = reference.stored_query_id
where reference.deleted_at is null;

-- Made after the rows. Without its list of pending entries, which every search would have to read from end to end.
create index query_reference_search_words on query_reference_search using gin (words) with (fastupdate = off);
create index query_reference_search_newest_first
  on query_reference_search (organization_id, created_at desc, reference_id desc);
create index query_reference_search_by_creator
  on query_reference_search (organization_id, created_by, created_at desc, reference_id desc);
create index query_reference_search_by_database
  on query_reference_search (organization_id, analytical_database_config_id, created_at desc, reference_id desc);
