import { expect, test } from 'vitest'
import { insertionOf } from './insertion.ts'

/** The text after inserting a name at the `|`. */
function insert(name: string, text: string): string {
  const [before = '', after = ''] = text.split('|')
  const { replacedBefore, text: inserted } = insertionOf(name, { before, after })
  return before.slice(0, before.length - replacedBefore) + inserted + after
}

test.each([
  ['orders', '|', 'orders'],
  ['orders', 'select * from |', 'select * from orders'],
  ['orders', 'select * from|', 'select * from orders'],
  ['orders', 'from orders|', 'from orders orders'],
  ['customers', 'from orders|', 'from orders customers'],
  ['orders', 'from ord|', 'from orders'],
  ['"Orders"', 'from ord|', 'from "Orders"'],
  ['orders', 'from |where', 'from orders where'],
  ['city', 'select country,|', 'select country, city'],
  ['city', 'select o.|', 'select o.city'],
  ['city', 'count(|)', 'count(city)'],
  ['city', 'where a =|', 'where a = city'],
  ['"Ship to"', 'select "a b"|', 'select "a b" "Ship to"'],
  ['city', 'select\n|\nfrom t', 'select\ncity\nfrom t'],
])('inserts %s into %j', (name, text, expected) => {
  expect(insert(name, text)).toBe(expected)
})
