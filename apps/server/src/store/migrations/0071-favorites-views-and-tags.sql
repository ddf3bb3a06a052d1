-- What people do to find queries and boards again. An item is a query reference or a board; a deleted one keeps its rows and may be restored.

create table favorites (
  organization_id text not null references organizations (id),
  user_id text not null references users (id),
  kind text not null check (kind in ('reference', 'board')),
  item_id text not null,
  created_at timestamptz not null,
  primary key (user_id, organization_id, kind, item_id)
);

-- The items that a person has opened last. Only a few of each person are kept.
create table recent_views (
  organization_id text not null references organizations (id),
  user_id text not null references users (id),
  kind text not null check (kind in ('reference', 'board')),
  item_id text not null,
  viewed_at timestamptz not null,
  primary key (user_id, organization_id, kind, item_id)
);
create index recent_views_newest_first on recent_views (user_id, organization_id, viewed_at desc);

create table item_tags (
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('reference', 'board')),
  item_id text not null,
  tag text not null,
  -- The tag in lower case: tags that differ only in case are the same.
  key text not null,
  primary key (kind, item_id, key)
);
create index item_tags_by_tag on item_tags (organization_id, key, kind);
