-- Answers to requests with an Idempotency-Key, written in the transaction of what the request did. A request with the same key gets the
-- same answer for 24 hours; one that arrives while the first is being served waits for the row. See domain/idempotency.
create table idempotent_answers (
  api_key_id text not null references api_keys (id) on delete cascade,
  idempotency_key text not null,
  -- SHA-256 of the method, the URL and the body.
  request_hash bytea not null,
  -- Null only inside the transaction.
  status integer,
  etag text,
  -- Encrypted: some answers contain secrets.
  body bytea,
  created_at timestamptz not null,
  primary key (api_key_id, idempotency_key)
);
create index idempotent_answers_created on idempotent_answers (created_at);
