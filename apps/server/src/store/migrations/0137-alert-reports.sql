-- Reports that send the messages of an alert, from a severity on.
alter table reports add column minimum_severity text;
-- beside older versions: what they write passes the wider check.
alter table reports drop constraint reports_sent_when_check;
-- beside older versions: what they write passes the wider check. Not valid, so that no row is read under the lock: those that are
-- there passed the narrower one.
alter table reports add constraint reports_sent_when_check check (sent_when in ('always', 'notable', 'condition', 'alert')) not valid;
