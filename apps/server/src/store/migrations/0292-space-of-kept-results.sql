-- How much space kept results take, added up for each query and each organization (docs/decisions/0063-space-of-kept-results.md).

-- A chain of archive_objects with bytes that are stored: their size, and the reference with its newest result, which they count for. Null
-- if no result needs the chain any more.
create table archive_chains (
  -- Neither this nor the reference is a foreign key: checking it would lock rows in another order than those who remove them.
  key_id text primary key,
  organization_id text not null references organizations (id),
  reference_id text,
  stored_bytes bigint not null default 0
);

-- A reference that has kept results, and the sizes of the chains that count for it: 0 if all count for others.
create table reference_space (
  reference_id text primary key,
  organization_id text not null references organizations (id),
  stored_bytes bigint not null
);
create index reference_space_largest_first on reference_space (organization_id, stored_bytes desc, reference_id desc);

create table organization_space (
  organization_id text primary key references organizations (id),
  stored_bytes bigint not null
);

-- Processes of the version before change results without counting them. The daily walk over all chains corrects that.
insert into archive_chains (key_id, organization_id, reference_id, stored_bytes)
select chain.key_id, chain.organization_id, newest.reference_id, chain.stored_bytes
from (
  select key_id, organization_id, sum(stored_bytes) as stored_bytes
  from archive_objects where stored_bytes > 0 and removed_at is null
  group by key_id, organization_id) as chain
left join (
  select distinct on (object.key_id) object.key_id, result.reference_id
  from archived_results as result join archive_objects as object on object.id = result.object_id
  where result.removed_at is null
  order by object.key_id, result.at desc, result.reference_id) as newest on newest.key_id = chain.key_id;

insert into reference_space (reference_id, organization_id, stored_bytes)
select kept.reference_id, kept.organization_id, coalesce(counted.stored_bytes, 0)
from (select distinct reference_id, organization_id from archived_results where removed_at is null) as kept
left join (
  select reference_id, sum(stored_bytes) as stored_bytes from archive_chains where reference_id is not null group by reference_id
) as counted on counted.reference_id = kept.reference_id;

insert into organization_space (organization_id, stored_bytes)
select organization_id, sum(stored_bytes) from archive_chains group by organization_id;
