-- Every request asks whether an organization has row rules. Most have none.
-- without a transaction: requests don't wait until the index is built.
drop index concurrently if exists databases_with_row_rules;
create index concurrently databases_with_row_rules on analytical_database_configs (organization_id) where row_rules is not null;
