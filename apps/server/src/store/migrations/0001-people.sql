-- People: organizations, their members, how they sign in and the keys their programs carry.
-- Every timestamp comes from the service's clock as a parameter; no default and no trigger asks the database for the time.

create table organizations (
  id text primary key,
  name text not null,
  created_at timestamptz not null
);

create table users (
  id text primary key,
  email text not null,
  name text not null,
  -- scrypt; see domain/people/passwords.ts for the form.
  password_hash text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table memberships (
  organization_id text not null references organizations (id),
  user_id text not null references users (id),
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_user on memberships (user_id);

create table sessions (
  -- SHA-256 of the cookie's token: whoever reads this table cannot sign in with it.
  token_hash bytea primary key,
  user_id text not null,
  organization_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table api_keys (
  id text primary key,
  organization_id text not null,
  user_id text not null,
  name text not null,
  -- What people recognise it by: the first characters, never enough to guess the rest.
  prefix text not null,
  -- SHA-256. A key has over 180 random bits, so a slow hash would add nothing but load.
  key_hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index api_keys_user on api_keys (organization_id, user_id, created_at desc);
