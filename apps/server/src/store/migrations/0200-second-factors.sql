-- The second factor of people who sign in with a password. Processes of the previous version don't ask for it, so it should be turned on
-- after the rollout.
create table second_factors (
  user_id text primary key references users (id),
  -- The TOTP key, encrypted (domain/sealing.ts).
  sealed_key bytea not null,
  -- The time step of the last accepted code. Codes of this and earlier steps are rejected, so that none works twice.
  last_used_step integer not null,
  created_at timestamptz not null
);

create table recovery_codes (
  user_id text not null references second_factors (user_id) on delete cascade,
  -- SHA-256. A code has 79 random bits, so a slow hash would add nothing but load.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
