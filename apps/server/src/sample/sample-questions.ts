import { newId } from '../domain/ids.ts'
import type { Caller } from '../model/caller.ts'
import type { TestQuestion } from '../model/question-set.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Tx } from '../store/db.ts'
import { insertQuestionSet } from '../store/evaluations/question-sets-table.ts'

export type SampleQuestion = Pick<TestQuestion, 'text' | 'isOrdered' | 'tolerance'> & { sql: string }

const exact = { isOrdered: false, tolerance: 0 }
const ordered = { isOrdered: true, tolerance: 0 }
/** For averages and percentages, which people round. */
const rounded = { isOrdered: false, tolerance: 0.01 }

/**
 * Questions about the sample shop, from easy to hard. Each says what to count, which orders and which columns in which order, so that it
 * has one answer. Some are about one year. The tests check that the statements run, and that no tie leaves a choice.
 */
export function sampleQuestionsOf(year: number): SampleQuestion[] {
  return [
    {
      text: `How many orders were placed in ${year}, by the day of the order? Count orders of every status.`,
      sql: `select count(*) as orders from orders where year(ordered_on) = ${year}`,
      ...exact,
    },
    {
      text: 'How many customers are from Germany?',
      sql: `select count(*) as customers from customers where country = 'Germany'`,
      ...exact,
    },
    {
      text: 'How many orders are there of each status? Return the status and the number of orders.',
      sql: `select status, count(*) as orders from orders group by status`,
      ...exact,
    },
    {
      text: 'How many customers are there in each country? Return the country and the number of customers, the largest number first.',
      sql: `select country, count(*) as customers from customers group by country order by customers desc`,
      ...ordered,
    },
    {
      text: 'Which products are no longer sold? Return the name and the last day on sale.',
      sql: `select name, discontinued_on from products where not is_active`,
      ...exact,
    },
    {
      text: `What is the total amount of all orders of ${year} that were not canceled, by the day of the order?`,
      sql: `select sum(amount) as revenue from orders where year(ordered_on) = ${year} and status <> 'canceled'`,
      ...rounded,
    },
    {
      text: `How many different products were ordered in December ${year}, by the day of the order? Include orders of every status.`,
      sql: `select count(distinct product_id) as products from orders where ordered_on between '${year}-12-01' and '${year}-12-31'`,
      ...exact,
    },
    {
      text:
        `What is the average amount of an order in each channel? Take orders of ${year}, by the day of the order, that were not canceled. ` +
        'Return the channel and the average.',
      sql: `
select channel, avg(amount) as average_amount
from orders
where year(ordered_on) = ${year} and status <> 'canceled'
group by channel`,
      ...rounded,
    },
    {
      text:
        `Which five products had the highest total amount in ${year}, by the day of the order, without canceled orders? Return the name of ` +
        'the product and the amount, the highest first.',
      sql: `
select products.name, sum(orders.amount) as revenue
from orders join products using (product_id)
where year(ordered_on) = ${year} and status <> 'canceled'
group by products.product_id, products.name
order by revenue desc
limit 5`,
      isOrdered: true,
      tolerance: 0.01,
    },
    {
      text:
        `What was the total amount of each month of ${year}, by the day of the order, without canceled orders? Return the first day of the ` +
        'month and the amount, in the order of time.',
      sql: `
select date_trunc('month', ordered_on)::date as month, sum(amount) as revenue
from orders
where year(ordered_on) = ${year} and status <> 'canceled'
group by month
order by month`,
      isOrdered: true,
      tolerance: 0.01,
    },
    {
      text: 'What is the average rating of each product category, over all rated orders? Return the category and the average.',
      sql: `
select category, avg(rating) as average_rating
from orders join products using (product_id)
where rating is not null
group by category`,
      ...rounded,
    },
    {
      text: 'How many customers have never placed an order?',
      sql: `select count(*) as customers from customers where customer_id not in (select customer_id from orders)`,
      ...exact,
    },
    {
      text: 'How many customers have placed more than 50 orders, of any status?',
      sql: `
select count(*) as customers
from (select customer_id from orders group by customer_id having count(*) > 50)`,
      ...exact,
    },
    {
      text: `What percentage of all orders of ${year}, by the day of the order, used a coupon?`,
      sql: `select 100.0 * count(coupon_code) / count(*) as percentage from orders where year(ordered_on) = ${year}`,
      ...rounded,
    },
    {
      text:
        `Which three coupon codes were used by the most orders in ${year}, by the day of the order? Return the code and the number of orders, ` +
        'the most used first.',
      sql: `
select coupon_code, count(*) as orders
from orders
where year(ordered_on) = ${year} and coupon_code is not null
group by coupon_code
order by orders desc
limit 3`,
      ...ordered,
    },
    {
      text:
        `Which warehouse had the highest share of refunded orders among all its orders of ${year}, by the day of the order? Return the ` +
        'warehouse and the share in percent.',
      sql: `
select warehouse, 100.0 * count(*) filter (status = 'refunded') / count(*) as refunded_percent
from orders
where year(ordered_on) = ${year}
group by warehouse
order by refunded_percent desc
limit 1`,
      ...rounded,
    },
    {
      text: `How many customers signed up in each quarter of ${year} (UTC)? Return the number of the quarter, 1 to 4, and the number of customers, in the order of time.`,
      sql: `
select quarter(signed_up_at) as quarter, count(*) as customers
from customers
where year(signed_up_at) = ${year}
group by quarter
order by quarter`,
      ...ordered,
    },
    {
      text:
        `What is the median amount of the orders that business customers placed in ${year}, by the day of the order, without canceled orders?`,
      sql: `
select median(amount) as median_amount
from orders join customers using (customer_id)
where is_business and year(ordered_on) = ${year} and status <> 'canceled'`,
      ...rounded,
    },
    {
      text:
        `What is the gross profit of each product category in ${year}, by the day of the order, without canceled orders? Gross profit is the ` +
        'amount less the cost of the pieces. Return the category and the gross profit.',
      sql: `
select category, sum(amount - quantity * unit_cost) as gross_profit
from orders join products using (product_id)
where year(ordered_on) = ${year} and status <> 'canceled'
group by category`,
      ...rounded,
    },
    {
      text: 'In which month, by the day of the order, were the most orders canceled? Return the first day of the month and the number of canceled orders.',
      sql: `
select date_trunc('month', ordered_on)::date as month, count(*) as canceled_orders
from orders
where status = 'canceled'
group by month
order by canceled_orders desc
limit 1`,
      ...exact,
    },
    {
      text:
        `How many hours passed on average between the order and its shipment, for each warehouse? Take all shipped orders of ${year}, by the ` +
        'day of the order. Return the warehouse and the hours.',
      sql: `
select warehouse, avg(epoch(shipped_at - ordered_at) / 3600) as hours
from orders
where year(ordered_on) = ${year} and shipped_at is not null
group by warehouse`,
      ...rounded,
    },
    {
      text:
        `What percentage of the total amount of ${year}, by the day of the order and without canceled orders, came from customers who receive ` +
        'the newsletter?',
      sql: `
select 100.0 * sum(amount) filter (has_newsletter) / sum(amount) as percentage
from orders join customers using (customer_id)
where year(ordered_on) = ${year} and status <> 'canceled'`,
      ...rounded,
    },
    {
      text:
        `What was the total amount of the first and of the second half of ${year}, by the day of the order and without canceled orders, and by ` +
        'how many percent did it change? Return one row: the amount of the first half, that of the second and the change in percent.',
      sql: `
select before, after, 100.0 * (after - before) / before as change_percent
from (
  select sum(amount) filter (month(ordered_on) <= 6) as before, sum(amount) filter (month(ordered_on) > 6) as after
  from orders
  where year(ordered_on) = ${year} and status <> 'canceled')`,
      ...rounded,
    },
    {
      text:
        `Which product was sold most in each country in ${year}, by the day of the order, counting pieces and leaving out canceled orders? ` +
        'Return the country, the name of the product and the number of pieces.',
      sql: `
select country, products.name, sum(quantity) as pieces
from orders join customers using (customer_id) join products using (product_id)
where year(ordered_on) = ${year} and status <> 'canceled'
group by country, products.product_id, products.name
qualify rank() over (partition by country order by pieces desc) = 1`,
      ...exact,
    },
    {
      text: `How many customers placed at least one order in January ${year} and at least one in December ${year}, by the day of the order and of any status?`,
      sql: `
select count(*) as customers
from (
  select customer_id
  from orders
  group by customer_id
  having bool_or(ordered_on between '${year}-01-01' and '${year}-01-31') and bool_or(ordered_on between '${year}-12-01' and '${year}-12-31'))`,
      ...exact,
    },
  ]
}

/** Adds the sample question set of a first start. It is evaluated when somebody with a model starts it. */
export async function seedQuestions(
  deps: { tx: Tx; clock: Clock; random: Random },
  caller: Caller,
  { databaseId, year }: { databaseId: string; year: number },
): Promise<void> {
  await insertQuestionSet(deps.tx, {
    id: newId(deps.random, 'qset'),
    organizationId: caller.organizationId,
    name: 'Sample shop',
    questions: sampleQuestionsOf(year).map(({ text, sql, isOrdered, tolerance }) => ({
      text,
      databaseId,
      expectedSql: sql.trim(),
      expectedRows: null,
      isOrdered,
      tolerance,
    })),
    schedule: null,
    nextDueAt: null,
    createdBy: caller.userId,
    now: deps.clock.now(),
  })
}
