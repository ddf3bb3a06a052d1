-- What people tell agents about their data, with all versions, and the suggestions for it (docs/knowledge.md).

create table knowledge_items (
  id text primary key,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('instructions', 'metric', 'table', 'verified_query')),
  -- What the item is about. Instructions: the database, or empty for the organization. Metric: the item itself. Table: the JSON array of
  -- database, schema and table. Verified query: the reference.
  subject text not null,
  -- The current version. `content` is null once the item is deleted; its shape is in model/knowledge.ts.
  version integer not null,
  content jsonb,
  -- What a metric is found by; null for other kinds and deleted metrics.
  words tsvector,
  changed_by text not null references users (id),
  changed_at timestamptz not null,
  unique (organization_id, kind, subject)
);
create index knowledge_items_words on knowledge_items using gin (words) with (fastupdate = off);

create table knowledge_versions (
  id text primary key,
  organization_id text not null,
  item_id text not null references knowledge_items (id),
  -- 1, 2, 3, … within the item.
  number integer not null,
  content jsonb,
  -- The version that was restored with this one, if any.
  restored_number integer,
  changed_by text not null references users (id),
  changed_at timestamptz not null,
  unique (item_id, number)
);
create index knowledge_versions_newest_first on knowledge_versions (organization_id, changed_at desc, id desc);

create table knowledge_suggestions (
  id text primary key,
  organization_id text not null references organizations (id),
  text text not null,
  target jsonb not null,
  -- The answer that it is about. The chat may be deleted; the suggestion stays.
  chat_short_id text,
  message_number integer,
  state text not null check (state in ('open', 'accepted', 'declined')),
  suggested_by text not null references users (id),
  suggested_at timestamptz not null,
  decided_by text references users (id),
  decided_at timestamptz,
  check ((chat_short_id is null) = (message_number is null)),
  check ((state = 'open') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null))
);
create index knowledge_suggestions_newest_first on knowledge_suggestions (organization_id, state, suggested_at desc, id desc);
