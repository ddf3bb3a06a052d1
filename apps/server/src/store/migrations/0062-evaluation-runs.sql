-- Agent runs that answer the questions of an evaluation. Like an answer in a chat, they belong to no automation.
-- beside older versions: whatever they write passes the wider checks, and existing rows are not read, because they passed narrower ones.
alter table agent_runs
  drop constraint agent_runs_trigger_check,
  add constraint agent_runs_trigger_check
    check (trigger in ('schedule', 'condition', 'person', 'api', 'question', 'evaluation')) not valid,
  drop constraint agent_runs_check,
  add constraint agent_runs_check check ((automation_id is null) = (trigger in ('question', 'evaluation'))) not valid;
