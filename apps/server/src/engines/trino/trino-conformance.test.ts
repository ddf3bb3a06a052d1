import { engineConformance, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { startTrinoWarehouse } from '../../../testing/engines/trino-warehouse.ts'
import { hasTrino } from '../../../testing/servers/trino-server.ts'
import { describe } from 'vitest'

// The server takes 700 MB to install and 20 seconds to start, so `npm run engines` installs it, and `npm test` uses it if it is there.
describe.each(hasTrino ? ['476'] : [])('Trino %s', () => {
  engineConformance({
    name: 'Trino',
    abilities: ['statementsRunning', 'dropConnections', 'restart', 'openWith'],
    sql: {
      fixture: [
        'create table digits (n integer not null)',
        'insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
        `create table items (
          id integer not null, name varchar(100), price decimal(10, 2), sold_at timestamp(6), sold_on date, in_stock boolean)`,
        `insert into items values
          (1, 'plain', 12.50, timestamp '2026-01-05 09:00:00', date '2026-01-05', true),
          (2, 'it''s "quoted" \u00e9 \u{1f600}', -0.05, timestamp '2026-01-05 09:00:00.123456', date '1969-12-31', false),
          (3, null, null, null, null, null)`,
        'create view cheap_items as select id, price from items where price < 10',
      ],
      // A recursive query ends after ten steps.
      endless: `select count(*) from (${rowsSql(9)}) a cross join digits b cross join digits c cross join digits d`,
      manyRows: `select i, rpad('', 800, 'x') from (${rowsSql(6)}) numbers where i < 250000`,
      tooLargeRow: `select rpad('', 40000000, 'x')`,
      textPlaces: [{ expression: `json_format(json '"x"') || '{{a}}'`, expected: (text) => `"x"${text}` }],
      hexOfText: 'to_hex(to_utf8(v))',
      types: {
        numbers: `select cast('0.1' as double), cast('1e300' as double), cast('-0.5' as double)`,
        notNumbers: `select nan(), infinity(), -infinity()`,
        zonedTimestamp: `select timestamp '2026-01-05 10:00:00 Europe/Berlin'`,
        bytes: `select x'00ff10'`,
        json: `select json '{"a": [1, null, "x"]}'`,
      },
    },
    async open({ fixture }) {
      const warehouse = await startTrinoWarehouse(fixture)
      return {
        engine: warehouse.open(),
        statementsRunning: () => warehouse.statementsRunning(),
        dropConnections: async () => warehouse.gate.drop(),
        restart: () => warehouse.restart(),
        openWith: ({ password, ...to }) => warehouse.open({ settings: to, ...(password !== undefined && { password }) }),
        release: () => warehouse.stop(),
      }
    },
  })
})
