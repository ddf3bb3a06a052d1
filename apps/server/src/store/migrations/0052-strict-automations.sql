-- A strict automation's run fails if its summary has a figure that is not proven.
alter table automations add column strict boolean not null default false;
