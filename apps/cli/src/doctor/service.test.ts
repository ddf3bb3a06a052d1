import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '@querypost/server/configuration'
import { freePort } from '@querypost/server/testing'
import { systemClock } from '@querypost/server/ports'
import type { Installation } from './examine.ts'
import { runningService } from './service.ts'

const installation: Installation = {
  environment: {},
  clock: systemClock,
  fetch,
  signal: new AbortController().signal,
  config: readConfig({}),
  url: 'http://127.0.0.1:1',
  ownerId: 42,
  workFolder: '',
}

test('nobody listens', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const [check] = await runningService.look({ ...installation, url })
  expect(check).toMatchObject({
    state: 'failed',
    message: expect.stringContaining(`does not answer at ${url}: ECONNREFUSED`) as string,
  })
})

test('somebody listens and says nothing', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  // The five seconds are over as soon as somebody has come.
  const clock = {
    ...systemClock,
    sleep: () => new Promise<void>((resolve) => silent.once('connection', () => resolve())),
  }
  const [check] = await runningService.look({ ...installation, clock, url: `http://127.0.0.1:${port}` })
  expect(check).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('no answer within 5 seconds') as string,
  })
  silent.close()
})

test('who interrupts does not want to hear of it', async () => {
  const interrupted = { ...installation, signal: AbortSignal.abort(new Error('interrupted')) }
  await expect(runningService.look(interrupted)).rejects.toThrow('interrupted')
})
