-- The newest kept result of an object decides which reference its chain counts for (0292).
-- without a transaction: results may be many, and are kept while the index is built.
drop index concurrently if exists archived_results_newest_of_object;
create index concurrently archived_results_newest_of_object on archived_results (object_id, at desc, reference_id) where removed_at is null;
