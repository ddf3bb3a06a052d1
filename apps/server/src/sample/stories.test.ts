import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DuckDBConnection } from '@duckdb/node-api'
import { openSampleShop } from '../../testing/sample-shop.ts'

/** The stories that an analyst should be able to find in the sample shop. */

let shop: DuckDBConnection
let close: () => void

beforeAll(async () => {
  ;({ shop, close } = await openSampleShop())
  await shop.run(`create temp view sales as
    from orders
    join customers using (customer_id)
    join (select product_id, name as product, category from products) using (product_id)`)
})

afterAll(() => close())

/** The first value of the first row. */
async function value(sql: string) {
  return (await shop.runAndReadAll(sql)).getRowsJson()[0]?.[0]
}

async function figure(sql: string): Promise<number> {
  return Number(await value(sql))
}

/** The share of the rows matching `where` that also match `condition`. */
function share(condition: string, where: string): Promise<number> {
  return figure(`select avg((${condition})::integer) from sales where ${where}`)
}

function count(where: string): Promise<number> {
  return figure(`select count(*) from sales where ${where}`)
}

function between(firstDay: string, lastDay: string): string {
  return `ordered_on between date '${firstDay}' and date '${lastDay}'`
}

function revenue(year: number): Promise<number> {
  return figure(`select sum(amount) from sales where year(ordered_on) = ${year}`)
}

test('growth: the second year earns much more than the first', async () => {
  expect(await revenue(2025)).toBeGreaterThan(1.3 * (await revenue(2024)))
})

test.each([2024, 2025])('yearly season: December of %i beats the average month before it', async (year) => {
  const december = await count(between(`${year}-12-01`, `${year}-12-31`))
  expect(december).toBeGreaterThan((1.3 * (await count(between(`${year}-01-01`, `${year}-11-30`)))) / 11)
})

function gardenShare(country: string, month: number): Promise<number> {
  return share(`category = 'Garden'`, `country = '${country}' and month(ordered_on) = ${month}`)
}

test('hemispheres: garden products sell in June in Germany and in December in Australia', async () => {
  expect(await gardenShare('Germany', 6)).toBeGreaterThan(3 * (await gardenShare('Germany', 12)))
  expect(await gardenShare('Australia', 12)).toBeGreaterThan(3 * (await gardenShare('Australia', 6)))
})

test('weekly season: Germany on Sundays, Japan on weekends, companies on working days', async () => {
  const sundays = await count(`country = 'Germany' and isodow(ordered_on) = 7`)
  expect(sundays).toBeGreaterThan(1.3 * (await count(`country = 'Germany' and isodow(ordered_on) = 6`)))
  // Two of seven days are 0.29 of the week.
  expect(await share('isodow(ordered_on) >= 6', `country = 'Japan'`)).toBeGreaterThan(0.32)
  expect(await share('isodow(ordered_on) >= 6', 'is_business')).toBeLessThan(0.15)
})

function busiestHour(country: string): Promise<number> {
  return figure(`select hour(ordered_at) from sales where country = '${country}' group by all order by count(*) desc limit 1`)
}

test('hours: Spain buys later than Sweden, and the United States at night in UTC', async () => {
  expect(await busiestHour('Spain')).toBeGreaterThan(await busiestHour('Sweden'))
  expect(await busiestHour('United States')).toBeLessThan(4)
})

function julyOfSummer(country: string): Promise<number> {
  return share('month(ordered_on) = 7', `country = '${country}' and month(ordered_on) between 6 and 8`)
}

test('holidays: Sweden buys little in July', async () => {
  expect(await julyOfSummer('Sweden')).toBeLessThan(0.8 * (await julyOfSummer('Germany')))
})

test('a new market: Japan opens in February 2025', async () => {
  expect(await value(`select min(ordered_on) from sales where country = 'Japan'`)).toMatch(/^2025-02-0/)
})

test('launch: the Aurora Sunrise Lamp launches in March 2025 and leads by the end of the year', async () => {
  const lamp = `product = 'Aurora Sunrise Lamp'`
  expect(await count(`${lamp} and ordered_on < date '2025-03-03'`)).toBe(0)
  const firstMonth = await count(`${lamp} and ${between('2025-03-03', '2025-03-31')}`)
  expect(firstMonth).toBeGreaterThan(0)
  expect(await count(`${lamp} and ${between('2025-12-01', '2025-12-31')}`)).toBeGreaterThan(20 * firstMonth)
  expect(
    await value(`select product from sales where ordered_on >= date '2025-10-01' group by product order by count(*) desc limit 1`),
  ).toBe('Aurora Sunrise Lamp')
})

test('decline: the Meridian Pocket Radio leads at first, declines and is discontinued', async () => {
  const radio = `product = 'Meridian Pocket Radio'`
  expect(
    await value(`select product from sales where ordered_on < date '2024-02-01' group by product order by count(*) desc limit 1`),
  ).toBe('Meridian Pocket Radio')
  const last = await share(radio, between('2025-07-01', '2025-11-02'))
  expect(last).toBeGreaterThan(0)
  expect(last).toBeLessThan(0.1 * (await share(radio, between('2024-01-01', '2024-06-30'))))
  expect(await count(`${radio} and ordered_on > date '2025-11-02'`)).toBe(0)
})

test('promotion: the week of 5 May 2025 stands out, with its coupon', async () => {
  const week = between('2025-05-05', '2025-05-11')
  const fourWeeksAround = `${between('2025-04-21', '2025-05-25')} and not (${week})`
  expect(await count(week)).toBeGreaterThan((1.6 * (await count(fourWeeksAround))) / 4)
  expect(await share(`coalesce(coupon_code, '') = 'SPRING25'`, week)).toBeGreaterThan(0.5)
  expect(await count(`coupon_code = 'SPRING25' and not (${week})`)).toBe(0)
})

function averageRating(where: string): Promise<number> {
  return figure(`select avg(rating) from sales where warehouse = 'Rotterdam' and ${where}`)
}

test('incident: Rotterdam loses half of its orders in the week of 8 September 2025', async () => {
  const week = between('2025-09-08', '2025-09-14')
  const isLost = `status in ('canceled', 'refunded')`
  expect(await share(isLost, `${week} and warehouse = 'Rotterdam'`)).toBeGreaterThan(0.5)
  expect(await share(isLost, `${week} and warehouse != 'Rotterdam'`)).toBeLessThan(0.1)
  expect(await share(isLost, `not (${week})`)).toBeLessThan(0.08)
  expect(await averageRating(week)).toBeLessThan((await averageRating(`not (${week})`)) - 1)
})

/** Share of customers from early 2024 with an order in the given months after their sign-up month. */
function retention(months: string, where = 'true'): Promise<number> {
  const cohort = `signed_up_at between timestamp '2024-01-02' and timestamp '2024-06-30' and ${where}`
  return figure(`
    select count(distinct customer_id) / (select count(*) from customers where ${cohort})
    from sales
    where ${cohort} and date_diff('month', signed_up_at, ordered_at) between ${months}`)
}

test('cohorts: fewer customers return over time, and referred ones return more often', async () => {
  const early = await retention('1 and 3')
  const later = await retention('7 and 9')
  const last = await retention('13 and 15')
  expect(early).toBeGreaterThan(0.5)
  expect(later).toBeLessThan(0.8 * early)
  expect(last).toBeLessThan(0.8 * later)
  expect(last).toBeGreaterThan(0.1)
  const social = await retention('7 and 9', `acquired_through = 'social'`)
  expect(await retention('7 and 9', `acquired_through = 'referral'`)).toBeGreaterThan(1.5 * social)
})

test('channels: the app gains share', async () => {
  const atFirst = await share(`channel = 'app'`, between('2024-01-01', '2024-01-31'))
  expect(await share(`channel = 'app'`, between('2025-12-01', '2025-12-31'))).toBeGreaterThan(3 * atFirst)
})

test('gifts: many in December, few in other months', async () => {
  expect(await share('is_gift', 'month(ordered_on) = 12')).toBeGreaterThan(4 * (await share('is_gift', 'month(ordered_on) < 12')))
})
