-- The kinds of engines are checked by their registry, so that a new one needs no migration.

-- beside older versions: they write only kinds that the check allowed. Other kinds can be asked for only of processes that know them.
alter table analytical_database_configs
  drop constraint analytical_database_configs_engine_check;
