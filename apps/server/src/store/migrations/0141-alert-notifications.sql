-- Notifications about alerts that fire.
-- beside older versions: what they write passes the wider check.
alter table notifications drop constraint notifications_kind_check;
-- beside older versions: what they write passes the wider check. Not valid, so that no row is read under the lock: those that are
-- there passed the narrower one.
alter table notifications add constraint notifications_kind_check
  check (kind in ('endpoint_failing', 'endpoint_disabled', 'run_failed', 'sign_ins_failing', 'comment_mention', 'comment_reply',
    'channel_disabled', 'report_failed', 'address_bounced', 'alert_fired')) not valid;
