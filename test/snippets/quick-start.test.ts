import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signatureHeaders } from '@querypost/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, pollPause } from '@querypost/server/testing'

/** The receiver of the quick start, with another port and path to the library. */
const secret = `whsec_${Buffer.alloc(32, 'q').toString('base64')}`
const folder = mkdtempSync(path.join(tmpdir(), 'querypost-quick-start-'))
let url: string
let output = ''
let receiver: ReturnType<typeof spawn>

beforeAll(async () => {
  const page = readFileSync(new URL('../../docs/quick-start.md', import.meta.url), 'utf8')
  const [, code] = /^```js\n([^]*?)^```$/m.exec(page)!
  const port = await freePort()
  const library = new URL('../../packages/webhooks/src/index.ts', import.meta.url).href
  writeFileSync(path.join(folder, 'hook.mjs'), code!.replace(`'@querypost/webhooks'`, `'${library}'`).replace('4000', String(port)))
  receiver = spawn(process.execPath, ['hook.mjs'], { cwd: folder, env: { ...process.env, QUERYPOST_WEBHOOK_SECRET: secret } })
  for (const stream of [receiver.stdout!, receiver.stderr!]) stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
  url = `http://127.0.0.1:${port}/hook`
  for (;;) {
    if (receiver.exitCode !== null) throw new Error(output)
    if (await fetch(url).catch(() => undefined)) break
    await pollPause()
  }
})
afterAll(async () => {
  const ended = new Promise((resolve) => receiver.once('close', resolve))
  receiver.kill()
  await ended
  rmSync(folder, { recursive: true })
})

async function send(sentBody?: string) {
  const data = { automationId: 'a', automationName: 'Report', runId: 'r', chatUrl: 'https://q.test/c', summary: 'All is well.', imageUrl: null }
  const body = JSON.stringify({ id: 'evt_1', type: 'automation.run.completed', createdAt: '2026-01-05T09:00:00.000Z', data })
  const headers = await signatureHeaders({ id: 'evt_1', body, secret })
  const response = await fetch(url, { method: 'POST', body: sentBody ?? body, headers: { ...headers } })
  return { status: response.status, text: await response.text() }
}

test('accepts genuine requests and explains why it rejects others', async () => {
  expect(await send(), output).toEqual({ status: 204, text: '' })
  await expect.poll(() => output).toContain('automation.run.completed · All is well.')
  expect(await send('{}')).toEqual({ status: 400, text: 'signature_mismatch' })
})
