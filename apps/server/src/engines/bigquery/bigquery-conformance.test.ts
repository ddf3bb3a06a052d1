import { describe, expect, test } from 'vitest'
import { bigqueryEmulatorFaults } from '../../../testing/engines/bigquery-emulator-faults.ts'
import { startBigqueryWarehouse } from '../../../testing/engines/bigquery-warehouse.ts'
import { engineConformance, never, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { hasBigqueryEmulator } from '../../../testing/servers/bigquery-emulator.ts'

// The emulator takes 560 MB, so `npm run engines` installs it, and `npm test` uses it if it is there.
describe.each(hasBigqueryEmulator ? ['1.3.0'] : [])('the emulator %s', () => {
  engineConformance({
    name: 'BigQuery',
    abilities: ['openWith'],
    sql: {
      fixture: [
        'create table shop.digits (n int64 not null)',
        'insert into shop.digits (n) values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
        'create table shop.items (id int64 not null, name string, price numeric, sold_at timestamp, sold_on date, in_stock bool)',
        String.raw`insert into shop.items (id, name, price, sold_at, sold_on, in_stock) values
          (1, 'plain', 12.125, timestamp '2026-01-05 09:00:00+00', date '2026-01-05', true),
          (2, 'it\'s "quoted" é 😀', -0.375, timestamp '2026-01-05 09:00:00.123456+00', date '1969-12-31', false),
          (3, null, null, null, null, null)`,
        'create view shop.cheap_items as select id, price from shop.items where price < 10',
      ],
      items: {
        types: ['integer', 'string', 'decimal', 'timestamp', 'date', 'boolean'],
        rows: [
          [1, 'plain', '12.125', '2026-01-05T09:00:00.000Z', '2026-01-05', true],
          [2, 'it\'s "quoted" é 😀', '-0.375', '2026-01-05T09:00:00.123456Z', '1969-12-31', false],
          [3, null, null, null, null, null],
        ],
      },
      // The server computes a whole result before it sends any of it.
      rows: (digits) => rowsSql(Math.min(digits, 5)),
      // A recursive query ends after 500 steps.
      endless: `select count(*) from (${rowsSql(9)}) a cross join digits b cross join digits c cross join digits d`,
      writes: [
        'insert into digits (n) values (10)',
        'update digits set n = 10 where true',
        'delete from digits where true',
        'drop table digits',
        'create table more (n int64)',
      ],
      quoteInString: "\\'",
      textPlaces: [],
      hexOfText: 'upper(to_hex(cast(v as bytes)))',
      types: {
        integers: `select cast('9223372036854775807' as int64), cast('-9223372036854775808' as int64),
          cast('9007199254740991' as int64), cast('9007199254740992' as int64)`,
        // Trailing zeros are not kept.
        decimals: null,
        arraysOfNumbers: null,
        numbers: `select cast('0.1' as float64), cast('1e300' as float64), cast('-0.5' as float64)`,
        notNumbers: `select cast('nan' as float64), cast('inf' as float64), cast('-inf' as float64)`,
        zonedTimestamp: `select timestamp '2026-01-05 10:00:00+01:00'`,
        bytes: String.raw`select b'\x00\xff\x10'`,
        // A result contains no arrays of arrays, and no array with NULL.
        array: null,
        nestedArray: null,
        arrayOfTexts: String.raw`select ['a "b"', 'c\\d', 'e,f', '', 'NULL']`,
        arrayOfTimestamps: `select [timestamp '2026-01-05 09:00:00.5+00']`,
        json: `select json '{"a": [1, null, "x"]}'`,
        nulls: `select cast(null as int64), cast(null as string), cast(null as numeric), cast(null as timestamp), cast(null as date)`,
      },
    },
    faults: bigqueryEmulatorFaults,
    async open({ fixture }) {
      const warehouse = await startBigqueryWarehouse(fixture)
      return {
        engine: warehouse.open(),
        openWith: ({ password, ...to }) => warehouse.open({ settings: to, ...(password !== undefined && { password }) }),
        release: () => warehouse.stop(),
      }
    },
  })
  test('continues a result after its connection is lost', async () => {
    const warehouse = await startBigqueryWarehouse([])
    const engine = warehouse.open()
    const sql = 'select i from unnest(generate_array(1, 50000)) as i'
    const result = await engine.run({ sql, signal: never() })
    let rowCount = 0
    for await (const batch of result.batches) {
      if (rowCount === 0) warehouse.gate.drop()
      rowCount += batch.rowCount
    }
    expect(rowCount).toBe(50_000)
    await engine.close()
    await warehouse.stop()
  })
})

test('what the emulator can’t answer is left out for a reason', () => {
  const reasons = Object.values(bigqueryEmulatorFaults)
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{15,}\.$/)
})
