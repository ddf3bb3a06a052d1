-- Orders: one at sign-up, then at most one a week for as long as the customer stays.

create temp table placed_orders as
with
  buyers as (
    select
      customers.*,
      countries.* exclude (country),
      (signed_up_at + to_hours(utc_offset))::date as first_day,
      customer_added_on(first_day, signed_up_at) as customer_added_on,
      -- Three in ten buy once and never again. The others stay for a while that depends on how they were acquired.
      if(
        chance('buys once', customer_id) < 0.3,
        0,
        -ln(1 - chance('stay', customer_id))
          * case acquired_through when 'referral' then 110 when 'press' then 70 when 'search' then 60 else 34 end
      ) as weeks_stayed,
      0.15 + 0.41 * chance('appetite', customer_id) as orders_a_week
    from customers
    join countries using (country)
  ),
  first_orders as (
    select *, 0::bigint as slot, first_day as day, signed_up_at + to_minutes(3 + roll('first order', customer_id, 50)) as ordered_at
    from buyers
    where first_day between opened_on() and getvariable('last_day')
  ),
  weeks as (
    select
      *,
      first_day + (1 + 7 * (slot - 1) + roll('day', customer_id * 1000 + slot, 7))::integer as day
    from (
      select
        *,
        unnest(range(
          -- Skip the weeks before the shop opens, those whose orders exist, and those after the last day.
          greatest(1, date_diff('day', first_day, greatest(opened_on(), getvariable('filled_until'))) // 7),
          1 + least(weeks_stayed::bigint, 1 + date_diff('day', first_day, getvariable('last_day')) // 7)
        )) as slot
      from buyers
    )
  ),
  later_orders as (
    select
      weeks.*,
      day + to_minutes(minute_of_day(1000 * customer_id + slot, evening, is_business) - 60 * utc_offset) as ordered_at
    from weeks
    join demand using (country, day)
    where chance('orders', customer_id * 1000 + slot)
      < orders_a_week * if(is_business, if(isodow(day) < 6, 1.3, 0.15), demand)
  )
select
  customer_id,
  slot,
  day,
  ordered_at,
  week_of(day) as week,
  greatest(customer_added_on, added_on(day, ordered_at)) as order_added_on
from (
  from first_orders
  union all by name
  from later_orders
);

-- These are computed again when an order that was being processed is completed.
create temp macro shipping_hours(order_id, channel, warehouse, day) as
  6 + roll('shipping', order_id, 60) + if(channel = 'marketplace', 24, 0) + if(is_incident(warehouse, day), 144, 0);

create temp macro rating_of(order_id, shipping_hours) as
  case
    when chance('rates', order_id) > 0.28 then null
    when shipping_hours > 120 then 1 + roll('rating', order_id, 3)
    else 5 - least(4, (-ln(1 - chance('rating', order_id)) * 0.9)::integer)
  end;

create temp macro is_still_processing(order_id, day) as
  day >= getvariable('last_day') - 2 and chance('still processing', order_id) < 0.6;

update orders
set
  status = 'completed',
  shipped_at = ordered_at + to_hours(shipping_hours(order_id, channel, warehouse, ordered_on)),
  rating = rating_of(order_id, shipping_hours(order_id, channel, warehouse, ordered_on))
where status = 'processing' and not is_still_processing(order_id, ordered_on);

insert into orders
with
  numbered as (
    select
      (select coalesce(max(order_id), 0) from orders)
        + row_number() over (order by added_with(order_added_on), ordered_at, customer_id, slot) as order_id,
      *
    from placed_orders
    -- In UTC, the customer's first day may begin before the shop opens.
    where ordered_at >= opened_on()
      and order_added_on > getvariable('filled_until')
      and order_added_on <= getvariable('last_day')
  ),
  drawn as (
    select
      numbered.*,
      is_business,
      has_newsletter,
      country,
      warehouse,
      hemisphere,
      roll('product', order_id, drum_size) as ticket
    from numbered
    join customers using (customer_id)
    join countries using (country)
    join (select distinct week, hemisphere, drum_size from tickets) using (week, hemisphere)
  ),
  sold as (
    select
      drawn.*,
      products.product_id,
      products.unit_price,
      1
        + least(3, (-ln(1 - chance('quantity', order_id)) * 0.75)::integer)
        + if(is_business, roll('pieces', order_id, 18), 0) as quantity,
      case
        when is_spring_promotion and chance('coupon', order_id) < 0.7 then 'SPRING25'
        when is_black_week and chance('coupon', order_id) < 0.6 then 'BLACKWEEK20'
        when slot = 0 and chance('coupon', order_id) < 0.35 then 'WELCOME10'
        when has_newsletter and chance('coupon', order_id) < 0.08 then 'NEWS5'
      end as coupon_code,
      is_incident(warehouse, drawn.day) as is_incident,
      chance('status', order_id) as status_chance
    from drawn
    join tickets using (week, hemisphere, ticket)
    join products using (product_id)
    join demand using (country, day)
  ),
  judged as (
    select
      *,
      coalesce(regexp_extract(coupon_code, '[0-9]+$')::integer, 0) as discount_percent,
      case
        when status_chance < if(is_incident, 0.42, 0.025) then 'canceled'
        when status_chance < if(is_incident, 0.58, 0.060) then 'refunded'
        when is_still_processing(order_id, day) then 'processing'
        else 'completed'
      end as status
    from sold
  ),
  shipped as (
    select
      *,
      shipping_hours(order_id, channel, warehouse, day) as shipping_hours
    from (
      select
        *,
        case
          when is_business and chance('by phone', order_id) < 0.35 then 'phone'
          when chance('channel', order_id) < 0.14 then 'marketplace'
          -- The app gains share for three years.
          when chance('channel', order_id) < 0.14 + 0.12 + 0.34 * least(week, 156) / 104 then 'app'
          else 'web'
        end as channel
      from judged
    )
  )
select
  order_id,
  customer_id,
  product_id,
  ordered_at,
  day as ordered_on,
  channel,
  warehouse,
  quantity,
  unit_price,
  discount_percent,
  coupon_code,
  -- Exact cents. The narrow decimal keeps the product within 64 bits, which halves the time of this statement.
  (unit_price * ((quantity * (100 - discount_percent))::decimal(5, 0) * 0.01))::decimal(10, 2) as amount,
  status,
  if(status in ('completed', 'refunded'), ordered_at + to_hours(shipping_hours), null) as shipped_at,
  if(status = 'completed', rating_of(order_id, shipping_hours), null) as rating,
  chance('gift', order_id) < if(month(day) = 12 and dayofmonth(day) < 25, 0.3, 0.04) as is_gift
from shipped
order by order_id;
