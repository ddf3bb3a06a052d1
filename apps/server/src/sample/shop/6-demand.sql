-- How much is bought on each day in each country, and which products in each week: the shop's seasons and stories.

-- Demand on a day, relative to an ordinary day.
create temp table demand as
select
  country,
  day,
  weekdays[isodow(day)]
    -- Quiet summers and busy ends of the year. In the south December is both, and the two nearly cancel out.
    * (1 + if(hemisphere = 'north', 0.16, 0.06) * cos(2 * pi() * (dayofyear(day) - 345) / 365))
    * case
        when month(day) = 12 and dayofmonth(day) between 5 and 20 then 1.35
        when month(day) = 12 and dayofmonth(day) between 24 and 26 then 0.45
        else 1
      end
    -- Sweden is on holiday in July.
    * if(country = 'Sweden' and month(day) = 7, 0.55, 1)
    * case when is_black_week then if(country = 'United States', 2.2, 1.6) else 1 end
    * if(is_spring_promotion, 2.1, 1) as demand,
  is_black_week,
  is_spring_promotion
from (
  select
    countries.*,
    range::date as day,
    is_black_week(day) as is_black_week,
    is_spring_promotion(day) as is_spring_promotion
  from countries, range(opened_on(), getvariable('last_day') + 1, interval 1 day)
);

-- The product of an order is drawn in a lottery: each week, every product holds a number of tickets in its hemisphere's drum.
create temp table tickets as
with
  holdings as (
    select
      week,
      hemisphere,
      product_id,
      case product_id
        when 12 then 90 / (1 + exp(-(week - 82) / 4.0))
        when 45 then 110 * exp(-week / 24.0)
        else (8 + 32 * chance('popularity', product_id) ** 2)
          * case category
              -- Midsummer is in week 25 in the north and half a year later in the south.
              when 'Garden' then 1 + 0.85 * season(week, if(hemisphere = 'north', 22, 48))
              when 'Winter' then 1 + 0.85 * season(week, if(hemisphere = 'north', 50, 25))
              when 'Travel' then 1 + 0.30 * season(week, if(hemisphere = 'north', 26, 1))
              else 1
            end
      end::bigint as ticket_count
    from
      range(greatest(0, week_of(getvariable('filled_until'))), 1 + week_of(getvariable('last_day'))) as weeks(week),
      (select distinct hemisphere from countries),
      products
    where week_start(week) between launched_on and coalesce(discontinued_on, date '9999-01-01')
  )
select
  week,
  hemisphere,
  row_number() over (partition by week, hemisphere order by product_id) - 1 as ticket,
  count(*) over (partition by week, hemisphere) as drum_size,
  product_id
from (
  select *, unnest(range(ticket_count))
  from holdings
);
