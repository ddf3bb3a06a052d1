-- The groups that an API key belongs to. Null: those of its member. The ids of groups that were deleted stay, and mean nothing.
-- Processes of the previous version ignore it, so keys with groups should be created after the rollout.
alter table api_keys add column group_ids text[];
