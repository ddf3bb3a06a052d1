-- As with every other kind of leased work: the number grows with every claim, and fences what is recorded under an older one.
alter table notifications add column email_lease_number integer not null default 0;
