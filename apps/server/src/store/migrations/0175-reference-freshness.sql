-- How old the result of a saved query may be when others read it with ref(…); null if a stored one is always fresh enough.
alter table query_references add column fresh_for_seconds integer;
