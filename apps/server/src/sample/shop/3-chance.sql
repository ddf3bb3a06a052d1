-- Random numbers without generator state: every draw is a hash of its purpose and key, so it does not depend on the order in which
-- rows are generated or on the number of threads. (It is DuckDB's own hash: a DuckDB version that hashes differently generates a
-- different shop with the same stories.) Everything here is temporary and not stored in the file.

-- An integer from 0 to `sides` - 1. `purpose` makes the draws for one key independent of each other.
create temp macro roll(purpose, key, sides) as
  (hash(purpose || ' of the sample shop', key) % (sides)::ubigint)::bigint;

-- A number from 0 (inclusive) to 1 (exclusive).
create temp macro chance(purpose, key) as roll(purpose, key, 1000000000) / 1e9;

create temp macro pick(purpose, key, words) as words[1 + roll(purpose, key, len(words))];

-- A number from -1 to 1, more often near 0.
create temp macro spread(purpose, key) as
  (chance(purpose || ' 1', key) + chance(purpose || ' 2', key) + chance(purpose || ' 3', key)) / 1.5 - 1;

-- Each market has its own hours and week. Weekdays run from Monday to Sunday.
create temp table countries as
select *
from (values
  ('Germany',        'north',   1, 'Rotterdam', 22, founded_on(), 20.0, [1.10, 1.05, 1.00, 1.00, 0.85, 0.75, 1.30]),
  ('United Kingdom', 'north',   0, 'Rotterdam', 16, founded_on(), 19.5, [1.05, 1.00, 1.00, 1.00, 1.05, 0.95, 1.00]),
  ('France',         'north',   1, 'Rotterdam', 14, founded_on(), 20.5, [1.00, 1.10, 1.15, 1.00, 0.95, 0.95, 0.85]),
  ('Spain',          'north',   1, 'Rotterdam',  9, founded_on(), 22.0, [1.00, 1.00, 1.05, 1.10, 1.05, 0.90, 0.90]),
  ('Sweden',         'north',   1, 'Rotterdam',  7, founded_on(), 19.0, [1.10, 1.05, 1.00, 1.00, 1.05, 0.80, 1.00]),
  ('United States',  'north',  -5, 'Columbus',  20, founded_on(), 20.0, [1.05, 1.00, 1.00, 0.95, 1.05, 1.00, 0.95]),
  ('Australia',      'south',  10, 'Sydney',     6, founded_on(), 19.5, [1.00, 1.00, 1.05, 1.05, 1.00, 0.95, 0.95]),
  -- The shop opens in Japan in its second year; its customers buy on weekends.
  ('Japan',          'north',   9, 'Osaka',     12, week_start(57), 21.0, [0.75, 0.80, 0.85, 0.90, 1.00, 1.35, 1.35])
) as market(country, hemisphere, utc_offset, warehouse, share, opens_on, evening, weekdays);

-- Minute of the day in the customer's time zone: some at noon, most in the evening; companies in the morning.
create temp macro minute_of_day(key, evening, is_business) as (
  case
    when is_business then 630 + (spread('office hours', key) * 240)::integer
    when chance('at noon', key) < 0.22 then 750 + (spread('noon', key) * 150)::integer
    else (evening * 60)::integer + (spread('evening', key) * 270)::integer
  end + 1440
) % 1440;
