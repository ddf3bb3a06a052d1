-- What admins or the identity provider say about a member, such as the region. Row rules of databases refer to it by name.
create table member_attributes (
  organization_id text not null,
  user_id text not null,
  name text not null,
  value text not null,
  -- Whether the identity provider set it at the last sign-in.
  is_from_provider boolean not null default false,
  primary key (organization_id, user_id, name),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
