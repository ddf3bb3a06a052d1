-- Secrets that sign the tokens of embedded pages (docs/embed.md).

create table embed_secrets (
  -- The `kid` of tokens.
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  sealed_secret bytea not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- Set when it is replaced: tokens that it signed are accepted until then.
  expires_at timestamptz
);
create index embed_secrets_of_organization on embed_secrets (organization_id, created_at desc, id desc);
