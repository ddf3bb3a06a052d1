-- Customers sign up for three years, more of them each month; later the number stays the same. Those of the first year place the first orders.

insert into customers
with
  -- Names are combined from parts, so that they belong to no real person.
  words as (
    select
      [
        'Ada', 'Alma', 'Ben', 'Bruno', 'Carla', 'Cleo', 'Dario', 'Edda', 'Elio', 'Enzo', 'Fay', 'Finn',
        'Greta', 'Hana', 'Hugo', 'Ida', 'Ines', 'Ivo', 'Jana', 'Joel', 'Kai', 'Kira', 'Lena', 'Leo', 'Luca',
        'Maya', 'Mila', 'Nico', 'Noor', 'Otto', 'Pia', 'Quinn', 'Rosa', 'Sami', 'Tess', 'Uma', 'Vera', 'Yuki',
        'Zoe'
      ] as first_names,
      [
        'Ash', 'Birch', 'Bram', 'Clay', 'Crow', 'Dell', 'Elm', 'Fern', 'Frost', 'Gale', 'Hazel', 'Heath',
        'Kestrel', 'Lark', 'Marsh', 'Moor', 'Oak', 'Pine', 'Reed', 'Rook', 'Sedge', 'Stone', 'Thorn', 'Wren'
      ] as beginnings,
      [
        'bank', 'bourne', 'brook', 'combe', 'dale', 'field', 'gate', 'hollow', 'hurst', 'leigh', 'mere',
        'ridge', 'shaw', 'stead', 'water', 'wick'
      ] as endings
  ),
  sign_up_days as (
    -- The number of new customers a day grows in a straight line, threefold from the first day to the last.
    select
      customer_id,
      founded_on() + (1096 * (sqrt(1 + 8 * chance('sign-up day', customer_id)) - 1) / 2)::integer as day
    from range(1, 26001) as numbers(customer_id)
    union all
    select 26001 + 100 * (age - 1096) + number, founded_on() + age::integer
    from
      range(1096, 2 + date_diff('day', founded_on(), getvariable('last_day'))) as days(age),
      range(34 + roll('sign-ups', age, 5)) as numbers(number)
  ),
  sign_ups as (
    select *, chance('business', customer_id) < 0.08 as is_business
    from sign_up_days
  ),
  -- A country's share of the sign-ups, as a range of rolls. Those that open later come last.
  shares as (
    select *, sum(share) over (order by opens_on, country) - share as first_roll
    from countries
  ),
  placed as (
    select
      sign_ups.*,
      roll('country', customer_id, (select sum(share) from countries where opens_on <= sign_ups.day)) as country_roll,
      pick('family 1', customer_id, beginnings) || pick('family 2', customer_id, endings) as family,
      first_names
    from sign_ups, words
  ),
  timed as (
    select
      *,
      day + to_minutes(minute_of_day(customer_id * 1000, evening, is_business) - 60 * utc_offset) as signed_up_at
    from placed
    asof join shares on placed.country_roll >= shares.first_roll
  )
select
  (select coalesce(max(customer_id), 0) from customers)
    + row_number() over (order by added_with(customer_added_on(day, signed_up_at)), signed_up_at, customer_id) as customer_id,
  if(
    is_business,
    family || ' ' || pick('company', customer_id, ['Studio', 'Workshop', 'Interiors', 'Supplies', 'Partners', 'Hotel']),
    pick('first', customer_id, first_names) || ' ' || family
  ) as name,
  country,
  signed_up_at,
  case
    when chance('acquired', customer_id) < 0.42 then 'search'
    when chance('acquired', customer_id) < 0.72 then 'social'
    when chance('acquired', customer_id) < 0.92 then 'referral'
    else 'press'
  end as acquired_through,
  is_business,
  chance('newsletter', customer_id) < 0.45 as has_newsletter
from timed
where customer_added_on(day, signed_up_at) > getvariable('filled_until')
  and customer_added_on(day, signed_up_at) <= getvariable('last_day')
order by customer_id;
