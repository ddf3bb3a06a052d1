-- A lease's number fences what is written under it: it grows when the run is claimed, and when its lease is taken away.
alter table runs add column lease_number integer not null default 0;
