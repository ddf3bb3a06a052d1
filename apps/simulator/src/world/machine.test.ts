import { expect, test } from 'vitest'
import { makeChance } from '../chance.ts'
import { makeMachine, worldBeganAt } from './machine.ts'
import { makeScheduler } from './scheduler.ts'

function start(skewMs = 0) {
  const scheduler = makeScheduler(makeChance('machine'))
  let deaths = 0
  const machine = makeMachine({ id: 'm', slot: 1, scheduler, skewMs, onDeath: () => void (deaths += 1) })
  const heard: string[] = []
  const sleep = (name: string, ms: number) =>
    void machine.clock.sleep(ms).then(() => heard.push(`${name} at ${scheduler.nowMs()}`))
  async function runAll() {
    while (await scheduler.step());
  }
  return { scheduler, machine, heard, sleep, runAll, deaths: () => deaths }
}

test('timers fire in the order of their times', async () => {
  const { heard, sleep, runAll } = start()
  sleep('late', 500)
  sleep('early', 200)
  await runAll()
  expect(heard).toEqual(['early at 200', 'late at 500'])
})

test('a dead process gets no calls and dies once', async () => {
  const { heard, sleep, runAll, machine, deaths } = start()
  sleep('never', 100)
  machine.die()
  machine.die()
  sleep('never either', 100)
  await runAll()
  expect({ heard, deaths: deaths() }).toEqual({ heard: [], deaths: 1 })
})

test('a stall delays everything while both clocks continue', async () => {
  const { heard, sleep, runAll, machine } = start()
  sleep('a', 100)
  sleep('b', 5_000)
  machine.stall(2_000, { isSuspended: false })
  await runAll()
  expect(heard).toEqual(['a at 2000', 'b at 5000'])
  expect(machine.clock.monotonicMs()).toBeCloseTo(5_000, 3)
})

test('a suspension stops the monotonic clock and timers', async () => {
  const { heard, sleep, runAll, machine, scheduler } = start()
  sleep('a', 100)
  sleep('b', 5_000)
  machine.stall(2_000, { isSuspended: true })
  await runAll()
  expect(heard).toEqual(['a at 2100', 'b at 7000'])
  expect(machine.clock.monotonicMs()).toBeCloseTo(5_000, 3)
  expect(machine.clock.now().getTime()).toBe(worldBeganAt + scheduler.nowMs())
})

test('skew and jumps affect the wall clock but not the monotonic clock', () => {
  const { machine } = start(-700)
  machine.setWallOffset(60_000)
  expect(machine.clock.now().getTime()).toBe(worldBeganAt + 59_300)
  expect(machine.clock.monotonicMs()).toBeCloseTo(0, 3)
  machine.setWallOffset(0)
  expect(machine.clock.now().getTime()).toBe(worldBeganAt - 700)
})

test('a leap skips heartbeats, which run once at its end', async () => {
  const { heard, sleep, scheduler } = start()
  sleep('heartbeat', 1_000)
  sleep('event', 90_000)
  expect(scheduler.nextEventMs()).toBe(90_000)
  scheduler.leapTo(80_000)
  await scheduler.step()
  expect(heard).toEqual(['heartbeat at 80000'])
  await scheduler.step()
  expect(heard).toEqual(['heartbeat at 80000', 'event at 90000'])
})
