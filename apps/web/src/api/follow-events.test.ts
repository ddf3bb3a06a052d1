import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followEvents } from './follow-events.ts'
import { onSessionEnd } from './request.ts'

/** A browser's event source as far as it is used: the test says what comes from the service. */
class FakeSource extends EventTarget {
  isOpen = true
  readonly address: string
  constructor(address: string) {
    super()
    this.address = address
    sources.push(this)
  }
  close() {
    this.isOpen = false
  }
  tell(event: string, data?: unknown) {
    this.dispatchEvent(data === undefined ? new Event(event) : new MessageEvent(event, { data: JSON.stringify(data) }))
  }
}

let sources: FakeSource[]
let page: EventTarget & { hidden: boolean }
let machine: EventTarget
let answers: { status: number; body: unknown }
const seen: unknown[] = []

beforeEach(() => {
  sources = []
  seen.length = 0
  page = Object.assign(new EventTarget(), { hidden: false })
  machine = new EventTarget()
  answers = { status: 200, body: {} }
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', machine)
  vi.stubGlobal('fetch', async () => Response.json(answers.body, { status: answers.status }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function follow() {
  let revision = 0
  const end = followEvents({
    stream: 'GET /chats/{shortId}/events',
    input: () => ({ params: { shortId: 'one' }, query: { after: revision } }),
    event: 'chat',
    onData(data) {
      revision = data.revision
      seen.push(data)
    },
    onConnectionChange: (isConnected) => seen.push(isConnected ? 'connected' : 'lost'),
  })
  return end
}

const open = () => sources.filter((source) => source.isOpen)

function show(hidden: boolean) {
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}

test('tells what comes, and after a loss goes on from what was seen', async () => {
  const end = follow()
  sources[0]!.tell('open')
  sources[0]!.tell('chat', { revision: 7 })
  sources[0]!.tell('error')
  expect(open()).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(open().map(({ address }) => address)).toEqual(['/app/api/chats/one/events?after=7'])
  sources[1]!.tell('open')
  expect(seen).toEqual(['connected', { revision: 7 }, 'lost', 'connected'])
  end()
  expect(open()).toEqual([])
})

test('waits longer after each loss, and little again once it was connected', async () => {
  const end = follow()
  for (const waitMs of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    sources.at(-1)!.tell('error')
    const before = sources.length
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(sources).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(sources).toHaveLength(before + 1)
  }
  sources.at(-1)!.tell('open')
  sources.at(-1)!.tell('error')
  await vi.advanceTimersByTimeAsync(500)
  expect(open()).toHaveLength(1)
  end()
})

test('notices on the way that nobody is signed in any more', async () => {
  const ended = vi.fn<() => void>()
  const stopListening = onSessionEnd(ended)
  const end = follow()
  answers = { status: 401, body: { code: 'unauthenticated', message: 'Sign in.' } }
  sources[0]!.tell('error')
  await vi.advanceTimersByTimeAsync(500)
  expect(ended).toHaveBeenCalledOnce()
  end()
  stopListening()
})

test('has no stream while nobody looks at the page', async () => {
  page.hidden = true
  const end = follow()
  expect(sources).toEqual([])
  show(false)
  expect(open()).toHaveLength(1)
  show(true)
  expect(open()).toEqual([])
  show(false)
  expect(open()).toHaveLength(1)
  sources.at(-1)!.tell('error')
  show(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(open()).toEqual([])
  end()
  show(false)
  expect(open()).toEqual([])
})

test('a machine that goes offline loses it at once, and has it back at once', async () => {
  const end = follow()
  sources[0]!.tell('open')
  machine.dispatchEvent(new Event('offline'))
  expect(open()).toEqual([])
  machine.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(open()).toHaveLength(1)
  sources.at(-1)!.tell('open')
  expect(seen).toEqual(['connected', 'lost', 'connected'])
  // The wait that began with the loss opens no second one.
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sources).toHaveLength(2)
  end()
  machine.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(open()).toEqual([])
})

test('once ended it is not opened again', async () => {
  const end = follow()
  sources[0]!.tell('error')
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sources).toHaveLength(1)
})
