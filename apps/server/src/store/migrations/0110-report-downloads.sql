-- Files of a document that are too large to send. Recipients get a link to each, which works without signing in until it expires.
create table report_downloads (
  content_id text not null references report_contents (id) on delete cascade,
  position integer not null,
  file_name text not null,
  content_type text not null,
  -- Null for a file that is written while it is downloaded.
  size_bytes integer,
  -- The results that the file is written from, or null if it is stored in `content`.
  source jsonb,
  -- Base64, as in report_files.
  content text,
  expires_at timestamptz not null,
  primary key (content_id, position),
  check ((source is null) <> (content is null))
);
create index report_downloads_by_expiry on report_downloads (expires_at);
