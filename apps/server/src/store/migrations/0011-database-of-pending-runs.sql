-- A worker asks for the oldest pending run of each database in turn, so that neither a database nor an organization with many of
-- them keeps the others waiting; for that the index (0012) needs the database beside the run. A trigger writes it, since processes of
-- the version before this one may still be adding runs.
alter table runs add column analytical_database_config_id text;
-- beside older versions: only the pending ones, which are few, found by their index.
update runs set analytical_database_config_id = queries.analytical_database_config_id
  from queries where queries.id = runs.query_id and runs.status = 'pending';

create function name_database_of_run() returns trigger language plpgsql as $$
begin
  new.analytical_database_config_id :=
    (select analytical_database_config_id from queries where id = new.query_id);
  return new;
end
$$;
-- beside older versions: it fills a column that they neither read nor write, from a row that their run refers to anyway.
create trigger runs_name_database before insert on runs for each row execute function name_database_of_run();
