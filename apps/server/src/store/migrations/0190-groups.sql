-- Who may see what. Without rows here, every member may query every database and edit every folder.

create table groups (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  created_by text not null references users (id),
  created_at timestamptz not null
);
create unique index groups_by_name on groups (organization_id, lower(name));

create table group_members (
  group_id text not null references groups (id) on delete cascade,
  organization_id text not null,
  user_id text not null,
  primary key (group_id, user_id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index group_members_by_person on group_members (organization_id, user_id);

-- What a group may do with a database. A row without a group is for everyone, and replaces the default.
create table database_grants (
  organization_id text not null references organizations (id),
  database_id text not null references analytical_database_configs (id) on delete cascade,
  group_id text references groups (id) on delete cascade,
  level text not null check (level in ('none', 'query', 'manage'))
);
create unique index database_grants_by_group on database_grants (database_id, coalesce(group_id, ''));
create index database_grants_by_organization on database_grants (organization_id);

-- The same for folders. A folder without rows of its own has the levels of the folder that it is in.
create table folder_grants (
  organization_id text not null references organizations (id),
  folder_id text not null references folders (id) on delete cascade,
  group_id text references groups (id) on delete cascade,
  level text not null check (level in ('none', 'view', 'edit'))
);
create unique index folder_grants_by_group on folder_grants (folder_id, coalesce(group_id, ''));
create index folder_grants_by_organization on folder_grants (organization_id);
