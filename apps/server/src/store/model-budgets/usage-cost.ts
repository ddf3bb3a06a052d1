import { sql } from 'kysely'

/** Joins each row of `model_usage as usage` with the price of its model on its day, as `price`. */
export const joinPrice = sql`
  left join lateral (
    select input_price, output_price from model_prices
    where organization_id = usage.organization_id and model = usage.model and from_day <= usage.day
    order by from_day desc
    limit 1) as price on true`

/** The cost of the row's tokens; null without a price. */
export const usageCost = sql`
  ((usage.input_tokens * price.input_price + usage.output_tokens * price.output_price) / 1000000)`
