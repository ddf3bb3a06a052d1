-- Each member has at most one database of uploads in an organization.
-- without a transaction: queries go on while the index is built.
drop index concurrently if exists analytical_database_configs_by_owner;
-- beside older versions: they never write an owner, and rows without one are never equal.
create unique index concurrently analytical_database_configs_by_owner
  on analytical_database_configs (organization_id, (settings ->> 'ownerId')) where deleted_at is null;
