import { expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

const metrics = `# HELP querypost_table_bytes Size
querypost_table_bytes{table="users",kept="forever"} 8192
querypost_table_bytes{table="runs",kept="swept"} 5000000
querypost_table_bytes{table="webhook_events",kept="swept"} 40960
querypost_table_bytes{table="run_inputs",kept="with"} 16384
querypost_table_bytes{table="of_tomorrow",kept="unknown"} 1
querypost_table_rows{table="runs",kept="swept"} 12345
`
const service: typeof fetch = async (url) => new Response(url === 'http://127.0.0.1:3000/metrics' ? metrics : '', { status: 200 })
const environment = { RUN_DAYS: '10' }

test('lists tables, largest first, with what limits them', async () => {
  const { exitCode, stdout, stderr } = await tryCommand(['storage'], { environment, fetch: service })
  expect([exitCode, stderr]).toEqual([0, '5 tables with 5.1 MB.\n'])
  const [head, , ...rows] = stdout.trimEnd().split('\n').map((line) => line.trim().split(/ {2,}/))
  expect([head, ...rows]).toEqual([
    ['table', 'size', 'rows', 'kept'],
    ['runs', '5.0 MB', '12,345', 'RUN_DAYS=10'],
    ['webhook_events', '41 kB', '64 days'],
    ['run_inputs', '17 kB', 'with runs'],
    ['users', '9 kB', 'forever: runs and audit records name former members'],
    ['of_tomorrow', '1 kB', 'unknown to this version'],
  ])
  const asJson = await tryCommand(['storage', '--json'], { environment, fetch: service })
  expect(JSON.parse(asJson.stdout).tables[0]).toEqual({ table: 'runs', sizeBytes: 5_000_000, rowCount: 12_345, kept: 'RUN_DAYS=10' })
})

test('says why it can’t list them', async () => {
  const unreachable: typeof fetch = async () => Promise.reject(new Error('connect ECONNREFUSED'))
  const stopped = await tryCommand(['storage'], { fetch: unreachable })
  expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringContaining('connect ECONNREFUSED. Start the service')])
  const blind = await tryCommand(['storage', '--url', 'http://other'], { fetch: service })
  expect([blind.exitCode, blind.stderr]).toEqual([1, expect.stringContaining('does not say how large its tables are')])
  const missing = await tryCommand(['storage'], { fetch: async () => new Response('', { status: 404 }) })
  expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('it answered 404')])
  expect((await tryCommand(['storage', 'runs'])).exitCode).toBe(2)
})
