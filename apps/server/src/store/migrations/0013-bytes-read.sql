-- What the engine says that a run has read; null where it does not tell.
alter table runs add column bytes_read bigint;
