import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { serverEngineOpeners } from '@querypost/server/engines'
import { systemClock } from '@querypost/server/ports'
import { silentLog } from '@querypost/server/testing'
import { clickhouseSql, engineConformance, readAll } from '@querypost/server/testing/suites'
import { findChdb } from '../../scripts/install-chdb.mjs'

/**
 * The engine of a current ClickHouse behind a small HTTP server of our own: its formats, values, settings, read-only mode and messages are
 * real, but it has no users, process list or progress headers. `clickhouse-engine.test.ts` tests those on an old, whole server.
 */
const program = fileURLToPath(new URL('chdb-server.py', import.meta.url))
const servers: ChildProcess[] = []

async function open(fixture: readonly string[]) {
  const home = findChdb()
  if (!home) throw new Error('chdb is not installed. `npm run engines` installs it.')
  const server = spawn('python3', [program, JSON.stringify(fixture)], {
    env: { ...process.env, PYTHONPATH: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  servers.push(server)
  const [port] = (await once(createInterface(server.stdout), 'line')) as [string]
  return serverEngineOpeners.clickhouse({
    settings: {
      host: 'warehouse.test',
      port: Number(port),
      otherHosts: [],
      database: 'default',
      user: 'default',
      tls: 'off',
      certificateAuthority: null,
    },
    password: null,
    addressesOf: async () => ['127.0.0.1'],
    clock: systemClock,
    log: silentLog,
  })
}

afterAll(() => {
  for (const server of servers) server.kill()
})

engineConformance({
  name: 'ClickHouse 26.9',
  sql: clickhouseSql,
  open: async ({ fixture }) => ({ engine: await open(fixture), release: async () => {} }),
})

describe('what only newer versions have', () => {
  const values = [
    ["toDateTime64('2026-01-05 09:00:00.123456789', 9, 'UTC')", '2026-01-05T09:00:00.123456789Z'],
    ["toDate32('1900-01-01')", '1900-01-01'],
    ['true', true],
    ["toInt128('170141183460469231731687303715884105727')", '170141183460469231731687303715884105727'],
    ["toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935')", '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
    ["toDecimal256('1.2345678901234567890123456789012345678901234567890123456789', 58)", '1.2345678901234567890123456789012345678901234567890123456789'],
    ["toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ["toIPv6('2001:db8::1')", '2001:db8::1'],
    ["map('a', toUInt64(9007199254740993))", { a: '9007199254740993' }],
  ] as const

  test('has exact values', async () => {
    const engine = await open([])
    const { rows } = await readAll(engine, `select ${values.map(([sql]) => sql).join(', ')}`)
    expect(rows[0]).toEqual(values.map(([, value]) => value))
    await engine.close()
  })
})
