-- What an API key may do, until when, and from where. Null scopes: what every key could do before there were scopes
-- (model/api-key-scope.ts). Processes of the previous version ignore all three, so restricted keys should be created after the rollout.
alter table api_keys
  add column scopes text[],
  add column expires_at timestamptz,
  add column allowed_networks text[];
