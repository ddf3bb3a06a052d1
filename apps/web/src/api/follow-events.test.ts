import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followEvents } from './follow-events.ts'
import { onSessionEnd } from './request.ts'

/** A fake EventSource that the tests control. */
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
  emit(event: string, data?: unknown) {
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

test('delivers events, and resumes after the last one when the connection is lost', async () => {
  const end = follow()
  sources[0]!.emit('open')
  sources[0]!.emit('chat', { revision: 7 })
  sources[0]!.emit('error')
  expect(open()).toEqual([])
  await vi.advanceTimersByTimeAsync(500)
  expect(open().map(({ address }) => address)).toEqual(['/app/api/chats/one/events?after=7'])
  sources[1]!.emit('open')
  expect(seen).toEqual(['connected', { revision: 7 }, 'lost', 'connected'])
  end()
  expect(open()).toEqual([])
})

test('backs off after each failure, and resets the backoff once connected', async () => {
  const end = follow()
  for (const waitMs of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    sources.at(-1)!.emit('error')
    const before = sources.length
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect(sources).toHaveLength(before)
    await vi.advanceTimersByTimeAsync(1)
    expect(sources).toHaveLength(before + 1)
  }
  sources.at(-1)!.emit('open')
  sources.at(-1)!.emit('error')
  await vi.advanceTimersByTimeAsync(500)
  expect(open()).toHaveLength(1)
  end()
})

test('notices that the session has ended', async () => {
  const ended = vi.fn<() => void>()
  const stopListening = onSessionEnd(ended)
  const end = follow()
  answers = { status: 401, body: { code: 'unauthenticated', message: 'Sign in.' } }
  sources[0]!.emit('error')
  await vi.advanceTimersByTimeAsync(500)
  expect(ended).toHaveBeenCalledOnce()
  end()
  stopListening()
})

test('closes the stream while the page is hidden', async () => {
  page.hidden = true
  const end = follow()
  expect(sources).toEqual([])
  show(false)
  expect(open()).toHaveLength(1)
  show(true)
  expect(open()).toEqual([])
  show(false)
  expect(open()).toHaveLength(1)
  sources.at(-1)!.emit('error')
  show(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(open()).toEqual([])
  end()
  show(false)
  expect(open()).toEqual([])
})

test('closes the stream when the browser goes offline, and reopens it immediately when back online', async () => {
  const end = follow()
  sources[0]!.emit('open')
  machine.dispatchEvent(new Event('offline'))
  expect(open()).toEqual([])
  machine.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(open()).toHaveLength(1)
  sources.at(-1)!.emit('open')
  expect(seen).toEqual(['connected', 'lost', 'connected'])
  // The retry timer from before doesn't open a second stream.
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sources).toHaveLength(2)
  end()
  machine.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(open()).toEqual([])
})

test('does not reopen after it was ended', async () => {
  const end = follow()
  sources[0]!.emit('error')
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sources).toHaveLength(1)
})
