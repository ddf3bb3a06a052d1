-- The values of row rules that a run was made with, so that only people with the same ones see it; null without row rules.
alter table runs add column row_bindings text;
