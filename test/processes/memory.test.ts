import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../faults/until.ts'
import { preparedDataDirectory, preparedEmail } from '../first-start.ts'
import { memoryMb, type ServiceProcess, startServiceProcess, testKey, testPassword } from '../service-process.ts'

let dataDirectory: string
let service: ServiceProcess

beforeAll(async () => {
  dataDirectory = await preparedDataDirectory()
  service = await startServiceProcess({ dataDirectory })
})
afterAll(async () => {
  await service.stop()
  await rm(dataDirectory, { recursive: true, force: true })
})

async function page(method: string, route: string, cookie: string, body?: unknown): Promise<never> {
  const answer = await fetch(`${service.baseUrl}${route}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as never
}

async function storeAndRun(cookie: string, sql: string): Promise<string> {
  const { items } = await page('GET', '/app/api/databases', cookie) as { items: { id: string }[] }
  const query = (await page('POST', '/app/api/queries', cookie, { sql, analyticalDatabaseConfigId: items[0]!.id })) as { id: string }
  await service.api('POST', `/api/queries/${query.id}/refresh`)
  await until(async () => {
    const { body } = await service.api('GET', `/api/queries/${query.id}`)
    const { status } = (body as { latestRun: { status: string } }).latestRun
    expect(status).not.toBe('failed')
    return status === 'completed'
  })
  return query.id
}

test('a million rows pass through the service in bounded memory', async () => {
  const signedIn = await fetch(`${service.baseUrl}/app/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: preparedEmail, password: testPassword }),
  })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  // The first run loads code and fills buffers that stay. Later growth depends on the rows.
  await storeAndRun(cookie, 'select 1 as warm')
  const beforeMb = memoryMb(service.process)

  const queryId = await storeAndRun(
    cookie,
    `select i::integer as n, i * 1000000007 as big, (i / 100)::decimal(12, 2) as price, 'customer ' || i as name,
       timestamp '2024-01-01' + interval (i) second as at from range(1000000) as r (i)`,
  )
  expect(memoryMb(service.process) - beforeMb).toBeLessThan(150)

  for (const encoding of ['gzip', 'identity']) {
    const result = await fetch(`${service.baseUrl}/api/queries/${queryId}/result`, {
      headers: { authorization: `Bearer ${testKey}`, 'accept-encoding': encoding },
    })
    let bytes = 0
    let tail = ''
    for await (const piece of result.body!) {
      bytes += piece.length
      tail = Buffer.from(piece).toString().slice(-40)
    }
    expect(bytes).toBeGreaterThan(50_000_000)
    expect(tail).toMatch(/\],"rowCount":1000000\}$/)
  }
  expect(memoryMb(service.process) - beforeMb).toBeLessThan(150)
})
