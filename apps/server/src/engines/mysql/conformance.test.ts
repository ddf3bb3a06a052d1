import { describe } from 'vitest'
import { pollPause } from '../../../testing/poll-pause.ts'
import { hasMariadb } from '../../../testing/servers/mariadb-server.ts'
import { backslashStringPlaces, engineConformance, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { startWarehouse } from '../../../testing/engines/mysql-warehouse.ts'

describe.skipIf(!hasMariadb)('MySQL, on MariaDB', () => {
  engineConformance({
    name: 'MariaDB',
    abilities: ['statementsRunning', 'dropConnections', 'restart', 'openWith'],
    sql: {
      fixture: [
        'create table digits (n integer not null)',
        'insert into digits values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
        `create table items (
          id integer not null, name varchar(100), price decimal(10, 2), sold_at datetime(6), sold_on date,
          in_stock boolean)`,
        `insert into items values
          (1, 'plain', 12.50, '2026-01-05 09:00:00', '2026-01-05', true),
          (2, 'it''s "quoted" \u00e9 \u{1f600}', -0.05, '2026-01-05 09:00:00.123456', '1969-12-31', false),
          (3, null, null, null, null, null)`,
        'create view cheap_items as select id, price from items where price < 10',
      ],
      // MariaDB stops a recursive query after a thousand steps.
      endless: `select count(*) from (${rowsSql(9)}) a cross join digits b cross join digits c cross join digits d`,
      manyRows: { sql: `select seq, repeat('x', 8000) from seq_0_to_14999`, count: 15_000 },
      textPlaces: [...backslashStringPlaces, { expression: '"{{a}}"', expected: (text) => text }],
      // Bytes, because MySQL and MariaDB ignore case, accents and trailing spaces.
      hexOfText: 'hex(v)',
      types: {
        integers: `select cast('9223372036854775807' as signed), cast('-9223372036854775808' as signed),
          cast('9007199254740991' as signed), cast('9007199254740992' as signed)`,
        numbers: `select cast('0.1' as double), cast('1e300' as double), cast('-0.5' as double)`,
        notNumbers: null,
        zonedTimestamp: `select convert_tz('2026-01-05 10:00:00', '+01:00', '+00:00')`,
        bytes: `select x'00ff10'`,
        array: `select json_array(1, null, 3)`,
        arrayOfTexts: `select json_array('a "b"', 'c\\\\d', 'e,f', '', 'NULL')`,
        arraysOfNumbers: null,
        arrayOfTimestamps: null,
        nestedArray: `select json_array(json_array(1, 2), json_array(3, 4))`,
        json: `select json_compact('{"a": [1, null, "x"]}')`,
        nulls: `select cast(null as signed), cast(null as char), cast(null as decimal(10, 2)), cast(null as datetime),
          cast(null as date)`,
      },
    },
    async open({ fixture }) {
      const warehouse = await startWarehouse({ settings: { 'max-allowed-packet': '64M' } })
      await warehouse.setUp(fixture)
      const { server } = warehouse
      const ids = (condition: string) =>
        server.rows(`select id from information_schema.processlist where user = 'reader' and ${condition}`)
      return {
        engine: warehouse.open(),
        // Leave out the service's own statements (cleaning up, counting).
        statementsRunning: async () => (await ids(`command = 'Query' and info like 'select%'`)).length,
        async dropConnections() {
          for (const [id] of await ids('true')) await server.rows(`kill connection ${String(id)}`).catch(() => {})
          while ((await ids('true')).length > 0) await pollPause()
        },
        async restart() {
          await server.interrupt('shutdown')
          await server.resume()
        },
        openWith: ({ password, ...to }) => warehouse.open(to, password === undefined ? {} : { password }),
        release: () => warehouse.stop(),
      }
    },
  })
})
