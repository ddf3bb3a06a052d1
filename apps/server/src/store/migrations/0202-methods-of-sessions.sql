-- How the person was identified when the session started. Null for sessions of earlier versions.
alter table sessions add column method text;
