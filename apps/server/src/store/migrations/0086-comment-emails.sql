-- Whether a person gets e-mails about mentions and replies, beside those about other notifications.
alter table users add column comment_emails boolean not null default true;
