import { expect, test } from 'vitest'
import { nameOfSql } from './name-of-sql.ts'

test.each([
  ['select * from orders', 'orders'],
  ['select * from orders o join customers using (customer_id) where 1 = 1', 'orders, customers'],
  ['SELECT *\nFROM shop."Old orders"', 'Old orders'],
  ['with recent as (select * from orders) select * from recent', 'orders'],
  ["select 'from nowhere' -- from here\nfrom /* there */ products", 'products'],
  ['select * from a, b', 'a'],
  ['select * from a join b on true join c on true join d on true', 'a, b, c'],
  ['select count(*) as answer from range(100) r (i)', 'select count * as answer from'],
  ['select 41 + 1 as answer', 'select 41 1 as answer'],
  ['-- nothing', ''],
])('%j gives %j', (sql, name) => {
  expect(nameOfSql(sql)).toBe(name)
})
