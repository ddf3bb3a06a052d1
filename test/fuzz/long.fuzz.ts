import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { TestService } from '@querypost/server/testing/suites'
import type { FuzzRoute } from './routes.ts'
import { runFuzz } from './run.ts'
import { send, startService } from './service.ts'
import { makeWorld } from './world.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    fuzz: { seed: number; cases: number }
  }
}

let service: TestService
let routes: FuzzRoute[]
beforeAll(async () => {
  const started = await startService()
  service = started.service
  routes = started.routes
})
afterAll(() => service.stop())

const say = (text: string) => process.stdout.write(`${text}\n`)
const { seed, cases } = inject('fuzz')

test(`${cases} requests, seed ${seed}`, async () => {
  const { findings, statuses, reached } = await runFuzz({
    routes,
    seed,
    cases,
    casesAWorld: 250,
    makeWorld: (number) => makeWorld(service, `shop-${number}`),
    send,
    onProgress: (done) => say(`${done} of ${cases}`),
  })
  say(`Answers by status: ${JSON.stringify(statuses)}`)
  const others = routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !reached.has(route))
  say(`${reached.size} of ${routes.length} routes answered with success. Never: ${others.join(', ') || 'none'}`)
  for (const { route, fault, example } of findings) say(`\n${route} ${fault}\n  ${example}`)
  expect(findings.map(({ route, fault }) => `${route} ${fault}`)).toEqual([])
})
