import { describe, expect } from 'vitest'
import type { FieldType } from '../../../src/model/result.ts'
import { readAll } from './reading.ts'
import type { Suite, TypeStatements } from './subject.ts'

/** The expected values of each type, whatever a database calls it. */
const expected: Record<keyof TypeStatements, { types?: FieldType[]; row: unknown[] }> = {
  integers: {
    types: ['integer', 'integer', 'integer', 'integer'],
    row: ['9223372036854775807', '-9223372036854775808', 9_007_199_254_740_991, '9007199254740992'],
  },
  decimals: { types: ['decimal', 'decimal'], row: ['12345678901234567890.1234567890', '-0.05'] },
  numbers: { types: ['number', 'number', 'number'], row: [0.1, 1e300, -0.5] },
  notNumbers: { types: ['number', 'number', 'number'], row: ['NaN', 'Infinity', '-Infinity'] },
  zonedTimestamp: { types: ['timestamp'], row: ['2026-01-05T09:00:00.000Z'] },
  bytes: { types: ['string'], row: ['AP8Q'] },
  array: { types: ['json'], row: [[1, null, 3]] },
  arrayOfTexts: { types: ['json'], row: [['a "b"', 'c\\d', 'e,f', '', 'NULL']] },
  arraysOfNumbers: { types: ['json', 'json'], row: [['1.50', '2.25'], [1, '9007199254740993']] },
  arrayOfTimestamps: { types: ['json'], row: [['2026-01-05T09:00:00.500Z']] },
  nestedArray: { types: ['json'], row: [[[1, 2], [3, 4]]] },
  json: { types: ['json'], row: [{ a: [1, null, 'x'] }] },
  // A NULL that does not come from a table may have any type.
  nulls: { row: [null, null, null, null, null] },
}

export function typeTests({ engine, sql, it }: Suite): void {
  describe('writes', () => {
    for (const name of Object.keys(expected) as (keyof TypeStatements)[]) {
      const statement = sql.types[name]
      if (statement === null) continue
      it(`${name} as documented`, async () => {
        const { fields, rows } = await readAll(engine(), statement)
        const types = fields.map((field) => field.type)
        expect(rows).toEqual([expected[name].row])
        expect(types).toEqual(expected[name].types ?? types)
      })
    }
  })
}
