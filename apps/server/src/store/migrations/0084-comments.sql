-- Comments on queries and boards (docs/comments.md).

create table comment_threads (
  id text primary key,
  organization_id text not null references organizations (id),
  -- The query reference or board. A deleted one keeps its threads and may be restored.
  kind text not null check (kind in ('reference', 'board')),
  item_id text not null,
  -- The tile of a board. It may have been removed since.
  tile_id text,
  -- The data point, as it was shown when the thread began; its shape is in model/comment.ts.
  point jsonb,
  created_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text references users (id)
);
create index comment_threads_of_item on comment_threads (kind, item_id, created_at desc, id desc);
create index comment_threads_of_organization on comment_threads (organization_id);

create table comments (
  id text primary key,
  thread_id text not null references comment_threads (id) on delete cascade,
  organization_id text not null references organizations (id),
  -- Markdown. Mentions are written as @[user id].
  text text not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  edited_at timestamptz
);
create index comments_of_thread on comments (thread_id, created_at, id);

-- Everyone whom a comment has mentioned and notified, also if a later edit removed the mention: nobody is notified twice.
create table comment_mentions (
  comment_id text not null references comments (id) on delete cascade,
  user_id text not null references users (id),
  primary key (comment_id, user_id)
);
