-- Whether the identity provider set the role at the last sign-in.
alter table memberships add column role_from_provider boolean not null default false;
