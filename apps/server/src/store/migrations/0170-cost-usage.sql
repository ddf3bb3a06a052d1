-- How many bytes the queries of a day (UTC, by the store's time) were estimated to read. Only organizations with cost limits have rows.
create table cost_usage (
  organization_id text not null references organizations (id),
  day date not null,
  -- A user, or the public link or embed secret that a viewer came by.
  person_id text not null,
  bytes bigint not null,
  primary key (organization_id, day, person_id)
);
create index cost_usage_age on cost_usage (day);
