import { expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { firstRequestPace, makeFirstRequests } from './first-requests.ts'

const { atOnce, perSecond } = firstRequestPace
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Requests to as many endpoints enter, one after the other. */
async function start(count: number) {
  const clock = manualClock()
  const requests = makeFirstRequests({ clock })
  const begun: string[] = []
  let enteredCount = 0
  const enter = (endpointId: string, { signal = new AbortController().signal, id = idOf((enteredCount += 1)), withinMs = 3_600_000 } = {}) =>
    requests.enter({ id, endpointId }, { withinMs, signal }).then(() => void begun.push(endpointId))
  for (let number = 1; number <= count; number++) void enter(`we_${number}`)
  await settle()
  const begunSince = async (act: () => unknown) => {
    const before = begun.length
    await act()
    await settle()
    return begun.slice(before)
  }
  return { clock, begun, enter, answers: requests.answers, begunSince }
}

const idOf = (number: number) => `dlv_${String(number).padStart(6, '0')}`
const msPerRequest = 1000 / perSecond

test('few begin at once, the others one by one', async () => {
  const { clock, begun, begunSince } = await start(1_000)
  expect(begun).toHaveLength(atOnce)
  expect(await begunSince(() => clock.advance(msPerRequest))).toHaveLength(1)
  expect(await begunSince(() => clock.advance(100 * msPerRequest))).toHaveLength(100)
})

test('a busy thread begins one in each turn, however much time has passed', async () => {
  const { clock, begunSince } = await start(1_000)
  expect(await begunSince(() => clock.leap(1_000))).toHaveLength(1)
})

test('three of four are for the newest delivery, one for the oldest, in whichever order they were claimed', async () => {
  const { clock, enter, begunSince } = await start(1_000)
  void enter('we_newest', { id: idOf(9_000) })
  void enter('we_oldest', { id: idOf(0) })
  void enter('we_new', { id: idOf(8_000) })
  const next = () => begunSince(() => clock.advance(msPerRequest))
  expect([await next(), await next(), await next(), await next()].flat()).toEqual(['we_newest', 'we_new', 'we_1000', 'we_oldest'])
})

test('an endpoint that answers releases its own requests and makes room for another', async () => {
  const { enter, answers, begunSince } = await start(1_000)
  void enter('we_1')
  void enter('we_1')
  const begun = await begunSince(() => answers('we_1'))
  expect(begun).toHaveLength(3)
  expect(begun.filter((endpointId) => endpointId === 'we_1')).toHaveLength(2)
})

test('an interrupted request does not wait, and takes no turn', async () => {
  const { clock, enter, begunSince } = await start(atOnce)
  const interruption = new AbortController()
  void enter('we_interrupted', { signal: interruption.signal })
  void enter('we_next')
  expect(await begunSince(() => interruption.abort())).toEqual(['we_interrupted'])
  expect(await begunSince(() => clock.advance(msPerRequest))).toEqual(['we_next'])
})

test('requests that have waited too long leave together, and take no turn', async () => {
  const { clock, enter, begunSince } = await start(atOnce)
  for (let number = 1; number <= 100; number++) void enter(`we_late_${number}`, { withinMs: msPerRequest })
  void enter('we_1')
  void enter('we_next')
  const begun = await begunSince(() => clock.advance(msPerRequest))
  expect(begun.filter((endpointId) => endpointId.startsWith('we_late_'))).toHaveLength(100)
  expect(begun).toHaveLength(101)
})

test('endpoints that answer follow each other without a pause', async () => {
  const { begun, answers } = await start(200)
  for (let answered = 0; answered < 200; answered++) {
    answers(begun[answered]!)
    await settle()
  }
  expect(begun).toHaveLength(200)
})
