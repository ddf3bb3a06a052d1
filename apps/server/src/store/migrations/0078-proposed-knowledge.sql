-- Evaluations with knowledge that is not saved yet.
alter table evaluations
  -- The proposed change; see model/knowledge.ts. Null for an evaluation of the knowledge as it is.
  add column proposal jsonb,
  -- The evaluation without the change, to compare with. It may be removed earlier, so nothing refers to it.
  add column baseline_id text;
