-- Folders order boards and queries.

create table folders (
  id text primary key,
  organization_id text not null references organizations (id),
  name text not null,
  parent_id text references folders (id),
  -- The number of the current row in folder_versions.
  version integer not null,
  created_by text not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index folders_newest_first on folders (organization_id, created_at desc, id desc);
create index folders_children on folders (parent_id) where deleted_at is null;
create index folders_deleted on folders (deleted_at) where deleted_at is not null;

-- Every state of a folder, with the transaction that wrote it, so that all pages of a list can show the moment of the first.
create table folder_versions (
  folder_id text not null references folders (id) on delete cascade,
  number integer not null,
  name text not null,
  parent_id text,
  is_deletion boolean not null default false,
  changed_at timestamptz not null,
  version_xid xid8 not null default pg_current_xact_id(),
  primary key (folder_id, number)
);
create index folder_versions_by_transaction on folder_versions (folder_id, number desc, version_xid);
