-- Items that a Git repository manages, each with a link to its file. See domain/managed.
create table managed_items (
  organization_id text not null references organizations (id),
  -- As packages/project names them.
  kind text not null check (kind in ('folder', 'query', 'board', 'automation', 'metric', 'question_set')),
  -- For queries and boards, the shortId.
  item_id text not null,
  url text not null,
  primary key (organization_id, kind, item_id)
);
