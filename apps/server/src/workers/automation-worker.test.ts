import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAutomation, runsOf, storeReferenceTo } from '../../testing/http/automation-requests.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../testing/store/test-store.ts'
import { makeAutomationWorker } from './automation-worker.ts'
import { makePublishRunEnd } from '../domain/runs/publish-run-end.ts'
import { makeSqlRunStore } from '../store/runs/run-store.ts'
import { makeRunWorker } from './run-worker.ts'

describe.each(storeKinds)('the automation worker on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let stock: string
  const started: { stop(options: { graceMs: number }): Promise<void> }[] = []

  beforeEach(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    stock = await storeReferenceTo(shop, 'select n from numbers', 'Stock')
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.stop({ graceMs: 0 })))
    await service.stop()
  })

  function start() {
    const { services } = service
    const workers = [
      makeAutomationWorker(services),
      makeRunWorker({ ...services, runs: makeSqlRunStore({ ...services, publishRunEnd: makePublishRunEnd(services) }), limits: { maxRows: 1000, maxMb: 10 }, runTimeoutSeconds: 60 }),
    ]
    for (const worker of workers) worker.start()
    started.push(...workers)
  }
  /** Waits for the first entry of a list that is empty at first. While it waits, `pass` may advance the clock. */
  async function first<Item>(list: () => Promise<Item[]>, pass: () => Promise<unknown> = pollPause): Promise<Item> {
    for (;;) {
      const [item] = await list()
      if (item !== undefined) return item
      await pass()
    }
  }
  const aSecond = () => service.clock.advance(1000)
  const everyMinute = { cron: '* * * * *', timeZone: 'UTC' }

  test('starts due runs without a wake-up', async () => {
    const { id, nextDueAt } = await createAutomation(shop, { references: [stock], schedule: everyMinute })
    start()
    await service.clock.advance(58_000)
    expect(await runsOf(shop.admin, id)).toEqual([])
    const run = await first(() => runsOf(shop.admin, id), aSecond)
    expect(run).toMatchObject({ trigger: 'schedule', dueAt: nextDueAt, isLate: false })
  })

  test.each(ruleKindsOf(kind))('starts runs that became due while no worker ran, and notes that they are late', async () => {
    const { id, nextDueAt } = await createAutomation(shop, { references: [stock], schedule: everyMinute })
    service.clock.leap(10 * 60_000)
    start()
    expect(await first(() => runsOf(shop.admin, id))).toMatchObject({ trigger: 'schedule', dueAt: nextDueAt, missedCount: 9, isLate: true })
  })

  test.each(ruleKindsOf(kind))('checks a condition as soon as the result is there, including a result that it requested', async () => {
    const condition = { reference: stock, kind: 'row_count', comparison: '>=', number: 10 }
    const { id } = await createAutomation(shop, { references: [stock], condition, schedule: everyMinute })
    const { currentQuery } = (await shop.admin.page('GET', `/app/api/references/${stock}`)).json()
    const queryRuns = async () => (await shop.admin.page('GET', `/app/api/queries/${currentQuery.id}/runs`)).json<{ items: object[] }>().items
    start()
    await service.clock.advance(58_000)
    expect(await first(queryRuns, aSecond)).toMatchObject({ triggerId: id })
    // The clock no longer advances: the wake-up is enough.
    expect(await first(() => runsOf(shop.admin, id))).toMatchObject({ trigger: 'condition', triggerId: id })
  })

  test.each(ruleKindsOf(kind))('checks conditions that were pending when the last worker stopped', async () => {
    const condition = { reference: stock, kind: 'row_count', comparison: '>=', number: 10 }
    const { id } = await createAutomation(shop, { references: [stock], condition })
    const { currentQuery } = (await shop.admin.page('GET', `/app/api/references/${stock}`)).json()
    const run = (await shop.admin.page('POST', `/app/api/queries/${currentQuery.id}/runs`)).json()
    const runs = makeRunWorker({ ...service.services, runs: makeSqlRunStore({ ...service.services, publishRunEnd: makePublishRunEnd(service.services) }), limits: { maxRows: 1000, maxMb: 10 }, runTimeoutSeconds: 60 })
    runs.start()
    await service.ended(shop.admin.caller, run.id)
    await runs.stop({ graceMs: 0 })
    expect(await runsOf(shop.admin, id)).toEqual([])
    start()
    expect(await first(() => runsOf(shop.admin, id))).toMatchObject({ trigger: 'condition' })
  })

  test.each(ruleKindsOf(kind))('does nothing after it has stopped', async () => {
    const { id } = await createAutomation(shop, { references: [stock], schedule: everyMinute })
    start()
    await Promise.all(started.splice(0).map((worker) => worker.stop({ graceMs: 0 })))
    await service.clock.advance(120_000)
    expect(service.clock.sleepers()).toBe(0)
    expect(await runsOf(shop.admin, id)).toEqual([])
  })
})
