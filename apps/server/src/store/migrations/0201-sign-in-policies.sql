-- How the members of an organization must sign in.
alter table organizations
  add column second_factor_required boolean not null default false,
  add column sso_required boolean not null default false;
