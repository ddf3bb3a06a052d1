-- The history of references (docs/history.md): every saved state, who saved it and when. Written in the transaction of the change.
-- What processes of the version before change appears in the next version.
create table query_reference_versions (
  reference_id text not null references query_references (id) on delete cascade,
  -- 1, 2, 3, … within the reference.
  number integer not null,
  title text not null,
  description text,
  is_optimistic boolean not null,
  query_id uuid not null,
  visualization jsonb,
  parameters jsonb not null,
  folder_id text,
  -- The version that was restored with this one, if any.
  restored_number integer,
  -- Null if nobody knows: the first version of a reference that was changed before there was a history.
  changed_by text references users (id),
  changed_at timestamptz not null,
  primary key (reference_id, number)
);
-- Whether a query is still needed.
create index query_reference_versions_query on query_reference_versions (query_id);

insert into query_reference_versions
  (reference_id, number, title, description, is_optimistic, query_id, visualization, parameters, folder_id, changed_by, changed_at)
select id, 1, title, description, is_optimistic, query_id, visualization, parameters, folder_id,
  case when updated_at = created_at then created_by end, updated_at
from query_references;
