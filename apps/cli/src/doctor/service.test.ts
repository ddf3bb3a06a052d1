import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from '@querypost/server/configuration'
import { freePort } from '@querypost/server/testing'
import { systemClock } from '@querypost/server/ports'
import type { Installation } from './examination.ts'
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

test('reports a refused connection', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  const [check] = await runningService.run({ ...installation, url })
  expect(check).toMatchObject({
    state: 'failed',
    message: expect.stringContaining(`does not answer at ${url}: ECONNREFUSED`) as string,
  })
})

test('reports a timeout when nothing answers', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  // The five seconds end with the first connection.
  const clock = {
    ...systemClock,
    sleep: () => new Promise<void>((resolve) => silent.once('connection', () => resolve())),
  }
  const [check] = await runningService.run({ ...installation, clock, url: `http://127.0.0.1:${port}` })
  expect(check).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('no answer within 5 seconds') as string,
  })
  silent.close()
})

test('an interrupt is not reported as a failure', async () => {
  const interrupted = { ...installation, signal: AbortSignal.abort(new Error('interrupted')) }
  await expect(runningService.run(interrupted)).rejects.toThrow('interrupted')
})
