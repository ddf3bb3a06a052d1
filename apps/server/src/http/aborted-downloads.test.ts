import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { endOf, storeQuery } from '../../testing/http/requests.ts'

/** Clients that disconnect during a download, at any moment: nothing stays open. */
let service: TestService
let shop: TestOrganization
let url: string
/** Every stream of stored bytes that was opened. */
const opened: Readable[] = []

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
  const { results } = service.services
  const open = results.open.bind(results)
  results.open = async (runId) => {
    const stored = await open(runId)
    if (stored && !Buffer.isBuffer(stored.bytes)) opened.push(stored.bytes)
    return stored
  }
  // Large enough, compressed, to be read as a stream.
  const { id } = await storeQuery(shop, 'select i, md5(i::varchar) as a, md5((-i)::varchar) as b from range(35000) r(i)')
  const run = await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`))
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/app/api/runs/${run.id}/result`
})
afterAll(() => service.stop())

/** When the client disconnects: right after the request, after the headers, or after part of the body. */
type Moment = 'request' | 'headers' | 'body'

function abortedDownload(options: { format: string; isCompressed: boolean; moment: Moment }): Promise<void> {
  const cookie = Object.entries(shop.admin.session).map((pair) => pair.join('=')).join('; ')
  const headers = { cookie, ...(options.isCompressed && { 'accept-encoding': 'gzip' }) }
  return new Promise((resolve) => {
    const asked = request(`${url}?format=${options.format}`, { headers, agent: false }, (answer) => {
      answer.on('error', () => {})
      if (options.moment === 'headers') asked.destroy()
      else answer.once('data', () => asked.destroy())
    })
    asked.on('error', () => {})
    asked.on('close', resolve)
    asked.end(() => {
      if (options.moment === 'request') setImmediate(() => asked.destroy())
    })
  })
}

/** Apart from the engine's own folder. */
async function parquetFolders() {
  const names = await readdir(path.join(service.services.dataDirectory, 'temporary'))
  return names.filter((name) => name.startsWith('parquet-'))
}

test.each([
  ['json', true],
  ['json', false],
  ['jsonl', true],
  ['csv', false],
  ['arrow', true],
  ['parquet', false],
])('an aborted download of %s leaves nothing open (compressed: %s)', async (format, isCompressed) => {
  const before = opened.length
  for (const moment of ['request', 'headers', 'body'] as const) {
    // Two Parquet files are generated at a time: the third waits for its turn.
    await Promise.all(Array.from({ length: 3 }, () => abortedDownload({ format, isCompressed, moment })))
  }
  await expect.poll(() => opened.slice(before).filter((stream) => !stream.closed).length).toBe(0)
  await expect.poll(parquetFolders).toEqual([])
})
