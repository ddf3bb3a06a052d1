-- When the person was last told of many failed sign-ins, so that one attack is told once.
alter table users add column sign_in_notice_at timestamptz;
