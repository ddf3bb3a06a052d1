import { expect, test } from 'vitest'
import type { Dialect } from '../../model/database.ts'
import { readLineage, readsColumn } from './lineage.ts'

/** The tables as `schema.name(columns)`, then loose columns; `?` if incomplete. */
function read(sql: string, dialect: Dialect = 'postgres'): string {
  const { tables, looseColumns, references, isComplete } = readLineage(sql, dialect)
  const names = tables.map(({ schema, name, columns, readsAllColumns }) => {
    const all = [...columns.toSorted(), ...(readsAllColumns ? ['*'] : [])]
    return `${schema === null ? '' : `${schema}.`}${name}(${all.join(' ')})`
  })
  return [...names.toSorted(), ...references.map((id) => `ref ${id}`), `[${looseColumns.toSorted().join(' ')}]`, ...(isComplete ? [] : ['?'])].join(' ')
}

test.each<[string, string, Dialect?]>([
  ['select id, o.total from orders o', 'orders(total) [id]'],
  ['select o.total from sales.orders as o join customers c on c.id = o.customer_id', 'customers(id) sales.orders(customer_id total) []'],
  ['select * from a, b as x, "C d" where x.n = 1', 'C d(*) a(*) b(n *) []'],
  ['select a.* from a join b using (id)', 'a(*) b() [id]'],
  ['select count(*), a * b from t', 't() [a b]'],
  ['with recent as (select id from orders), x (n) as materialized (select 1) select r.id from recent r, x', 'orders() [id n]'],
  ['select extract(year from day), trim(both from name) from t where a is distinct from b', 't() [a b both day name year]'],
  ['select (select max(n) from inner_t i where i.id = o.id) from outer_t o', 'inner_t(id) outer_t(id) [n]'],
  ['select 1 from (a join (b left join c on true) on true)', 'a() b() c() []'],
  ['select public.orders.total from public.orders', 'public.orders(total) []'],
  ['select o from orders o', 'orders(*) []'],
  ['select channel, count(*) as orders, cast(a as text), b::date from orders', 'orders() [a b channel]'],
  ["select 'from x' -- from y\nfrom z /* join w */", 'z() []'],
  ['select n from generate_series(1, 10) as g (n)', '[n]'],
  ['select * from dblink(1) d', '[d] ?'],
  ['select `id` from `my db`.`orders` o join `x` using (id)', 'my db.orders() x() [id]', 'mysql'],
  ['select o.id from db.orders as o final prewhere o.day > 1 settings max_threads = 1', 'db.orders(day id) [max_threads]', 'clickhouse'],
  ["from 'file.csv' select a", '[a] ?', 'duckdb'],
  ["select r.n from ref('k7Qm2xVbNd', a => 1) r join orders o using (n)", 'orders() ref k7Qm2xVbNd [a n r]', 'duckdb'],
])('%s', (sql, expected, dialect) => {
  expect(read(sql, dialect)).toBe(expected)
})

test.each<[string, string, 'yes' | 'maybe' | 'no']>([
  ['select o.total from orders o join customers c using (id)', 'total', 'yes'],
  ['select total from orders', 'total', 'yes'],
  ['select TOTAL from public.Orders', 'total', 'yes'],
  ['select total from orders join customers using (id)', 'total', 'maybe'],
  ['select * from orders', 'total', 'maybe'],
  ['select id from orders', 'total', 'no'],
  ['select total from other.orders', 'total', 'no'],
  ['select total from customers', 'total', 'no'],
  ['select total from dblink(1)', 'total', 'maybe'],
])('%s reads %s: %s', (sql, column, expected) => {
  expect(readsColumn(readLineage(sql, 'postgres'), { schema: 'public', name: 'orders' }, column)).toBe(expected)
})
