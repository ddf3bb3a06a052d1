-- What the pages about people need: links that open once, invitations, sign-in with an OIDC provider, and where somebody
-- is signed in.

-- People who only ever came through the provider have no password.
alter table users alter column password_hash drop not null;

-- What somebody recognises a session by in the list of places where they are signed in.
alter table sessions add column user_agent text, add column last_seen_at timestamptz;

-- A link by which one person does one thing, once. A used one stays until it is swept, so that whoever opens it again
-- is told what happened to it.
create table person_links (
  -- SHA-256 of the token in the link.
  token_hash bytea primary key,
  purpose text not null check (purpose in ('welcome', 'password_reset')),
  user_id text not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index person_links_user on person_links (user_id, created_at);
create index person_links_expiry on person_links (expires_at);

create table invitations (
  id text primary key,
  organization_id text not null references organizations (id),
  email text not null,
  role text not null check (role in ('admin', 'member')),
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  invited_by text not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz
);
-- Also what refuses a second one for the same address while the first is open.
create unique index invitations_open on invitations (organization_id, lower(email)) where accepted_at is null;
create index invitations_email on invitations (lower(email)) where accepted_at is null;
create index invitations_expiry on invitations (expires_at);

-- Whom the provider means: its subject never changes, while an e-mail may pass to somebody else.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users (id),
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index oidc_identities_user on oidc_identities (user_id);
