import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test.each([
  [
    'Catalog Error: Table with name order does not exist!\nDid you mean "orders"?\n\nLINE 1: select * from order\n                      ^',
    'Catalog Error: Table with name order does not exist! Did you mean "orders"?',
  ],
  ['Parser Error: syntax error at or near "selec"\nLINE 1: selec 1\n        ^', 'Parser Error: syntax error at or near "selec"'],
  ['Stopped by Ada.', 'Stopped by Ada.'],
  ['', ''],
])('%j', (reason, line) => {
  expect(oneLine(reason)).toBe(line)
})
