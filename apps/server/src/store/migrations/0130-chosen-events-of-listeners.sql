-- The opt-in events that a listener has chosen. They are published only while an endpoint or a listener wants them.
alter table event_listeners add column event_types text[] not null default '{}';
