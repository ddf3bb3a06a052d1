-- The sites that may embed an organization's queries and boards, as a list of origins. Null: none (docs/embed.md).
alter table organizations add column embed_origins jsonb;
