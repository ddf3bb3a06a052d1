-- The days of the shop. The variables `first_start_on`, `filled_until` and `last_day` are set: orders after `filled_until` are missing, and
-- those until `last_day` are added. Stories happen in a certain week of the shop, seasons on the calendar. Everything here is temporary.

-- The first day with orders: a Monday, 104 weeks before the week of the first start.
create temp macro opened_on() as date_trunc('week', getvariable('first_start_on'))::date - 728;

-- The first customers signed up a year before.
create temp macro founded_on() as opened_on() - 365;

-- The Monday of a week of the shop, counted from 0.
create temp macro week_start(week) as opened_on() + (7 * (week))::integer;

create temp macro week_of(day) as date_diff('week', opened_on(), day);

-- Seasons repeat every 52.18 weeks. Weeks of the calendar are counted from the first Monday of 2024.
create temp macro season(week, peak) as
  cos(2 * pi() * (week + date_diff('week', date '2024-01-01', opened_on()) - (peak)) / 52.18);

-- The week of the last Friday of November.
create temp macro is_black_week(day) as
  month(day - isodow(day)::integer + 5) = 11 and month(day - isodow(day)::integer + 12) = 12;

-- The promotion is in the first full week after 4 May, for the first time in the year before the first start.
create temp macro is_spring_promotion(day) as
  month(day - isodow(day)::integer + 1) = 5
  and dayofmonth(day - isodow(day)::integer + 1) between 5 and 11
  and day - isodow(day)::integer + 1 > getvariable('first_start_on') - 372;

-- The supply incident: for a week, Rotterdam could not ship much.
create temp macro is_incident(warehouse, day) as warehouse = 'Rotterdam' and week_of(day) = 88;

-- The day on which a row is added: it has ended both on the customer's calendar and in UTC. Rows are numbered by the day they are added,
-- so that the numbers of existing rows stay the same. The days until the first start are added at once.
create temp macro added_on(day, at_time) as greatest(day, at_time::date);

create temp macro added_with(added_on) as greatest(added_on, getvariable('first_start_on'));

-- A new customer needs an hour for the first order.
create temp macro customer_added_on(day, signed_up_at) as added_on(day, signed_up_at + interval 1 hour);
