-- The trash (docs/history.md): which references and boards are deleted or were until a few days ago, and who deleted them. One row for each
-- deletion. Written by triggers, so that no way of deleting or restoring can forget it.
create table deleted_items (
  id bigint generated always as identity primary key,
  organization_id text not null references organizations (id),
  kind text not null check (kind in ('reference', 'board')),
  item_id text not null,
  -- Set by the transaction that deletes. Null if a process of an older version did.
  deleted_by text references users (id),
  deleted_at timestamptz not null,
  deleted_xid xid8 not null default pg_current_xact_id(),
  -- When the item left the trash, and the transaction that did it. The row stays as long as a list may refer to the time before.
  left_at timestamptz,
  left_xid xid8,
  -- Whether it left the trash to be removed, not to be restored.
  is_removed boolean not null default false
);
create index deleted_items_newest_first on deleted_items (organization_id, deleted_at desc, id desc);
create index deleted_items_of_item on deleted_items (kind, item_id);
create index deleted_items_by_age on deleted_items (deleted_at) where left_at is null;
create index deleted_items_left on deleted_items (left_at) where left_at is not null;

insert into deleted_items (organization_id, kind, item_id, deleted_at)
select organization_id, 'reference', id, deleted_at from query_references where deleted_at is not null;
insert into deleted_items (organization_id, kind, item_id, deleted_by, deleted_at)
select board.organization_id, 'board', board.id, version.changed_by, board.deleted_at
from boards as board join board_versions as version on version.board_id = board.id and version.number = board.version
where board.deleted_at is not null;

create function keep_deleted_item() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then
    update deleted_items set left_at = store_now(), left_xid = pg_current_xact_id()
    where kind = tg_argv[0] and item_id = new.id and left_at is null;
  else
    insert into deleted_items (organization_id, kind, item_id, deleted_at)
    values (new.organization_id, tg_argv[0], new.id, new.deleted_at);
  end if;
  return null;
end
$$;
-- beside older versions: it writes to a table that only newer processes read.
create trigger query_references_keep_deleted after update of deleted_at on query_references
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function keep_deleted_item('reference');
