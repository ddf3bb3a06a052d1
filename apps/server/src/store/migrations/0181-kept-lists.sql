-- The rest of a published list as it was when its first page was read, for lists that keep no versions of their items. See
-- domain/pagination/kept-list.ts.
create table kept_lists (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  -- The items as they are sent, in the list's order.
  items jsonb not null,
  created_at timestamptz not null
);
create index kept_lists_created on kept_lists (created_at);
