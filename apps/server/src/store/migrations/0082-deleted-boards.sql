-- beside older versions: it writes to a table that only newer processes read.
create trigger boards_keep_deleted after update of deleted_at on boards
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function keep_deleted_item('board');
