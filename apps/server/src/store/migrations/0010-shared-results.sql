-- Results that several processes share, kept in this database or in an S3 bucket.
--
-- One row a result, wherever its bytes are. It stands here before the first byte is written and until the last one is
-- removed, so that whatever a process leaves behind when it dies can be found without looking through the place itself.
create table results (
  -- Not a reference to `runs`: bytes outlive nothing and are asked for by nobody but through their run.
  run_id text primary key,
  place text not null check (place in ('postgres', 's3')),
  -- Both null while it is being written. From then on it can be opened.
  size_bytes bigint,
  written_at timestamptz,
  -- From then on it cannot be opened any more; its bytes stay for those who have it open.
  removed_at timestamptz,
  -- Whoever writes or reads it says, again and again, until when its bytes are needed. In no index: to say so is to
  -- change one row in its page.
  held_until timestamptz not null,
  -- The multipart upload it is being written by, for whoever has to abort it.
  upload_id text,
  check ((written_at is null) = (size_bytes is null))
) with (fillfactor = 80);
create index results_written on results (written_at);
create index results_unwritten on results (run_id) where written_at is null;
create index results_removed on results (removed_at) where removed_at is not null;

-- The bytes of a result whose place is 'postgres', cut into pieces of equal size, the last one shorter.
create table result_pieces (
  run_id text not null references results (run_id),
  number integer not null,
  bytes bytea not null,
  primary key (run_id, number)
) with (
  -- A day's results are a day's garbage: taken back early, so that the next day's find the room of the last.
  autovacuum_vacuum_scale_factor = 0.05,
  toast.autovacuum_vacuum_scale_factor = 0.05
);
-- They are compressed already.
alter table result_pieces alter column bytes set storage external;
