import { addressOf, type AddressInput, type Answer, type OperationName, type Rest } from './operations.ts'
import { request } from './request.ts'

/**
 * Server-sent events for as long as a page wants them.
 *
 * - When the connection is lost, or the service refuses it, the stream is opened anew after a wait: `input` is
 *   asked for each time, so that it can name what has been seen. A session that has ended is noticed on the way.
 * - While nobody looks at the page it has no stream. Browsers allow a site few connections at once over plain HTTP,
 *   for all of its tabs together; tabs in the background must not use them up.
 * - A machine that goes offline leaves its streams hanging; so the stream is given up when the browser tells of it, and
 *   opened as soon as the network is back, without a wait.
 */
export interface FollowOptions<Name extends EventStream> {
  stream: Name
  input(): AddressInput<Name>
  event: string
  onData(data: Answer<Name>): void
  onConnectionChange?(isConnected: boolean): void
}

/** The operations whose answer is a stream of events; its type is that of an event's data. */
type EventStream = Extract<OperationName, `GET ${string}/events`>

const firstWaitMs = 500
const longestWaitMs = 15_000

/** Returns the way to end it. */
export function followEvents<Name extends EventStream>(options: FollowOptions<Name>): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = firstWaitMs
  let hasEnded = false

  function open(): void {
    clearTimeout(timer)
    if (hasEnded || source || document.hidden) return
    const opened = new EventSource(addressOf(options.stream, ...([options.input()] as Rest<AddressInput<Name>>)))
    source = opened
    opened.addEventListener('open', () => {
      waitMs = firstWaitMs
      options.onConnectionChange?.(true)
    })
    opened.addEventListener(options.event, (message: MessageEvent<string>) => 
      options.onData(JSON.parse(message.data) as Answer<Name>),
    )
    opened.addEventListener('error', lose)
  }

  function lose(): void {
    close()
    clearTimeout(timer)
    options.onConnectionChange?.(false)
    timer = setTimeout(() => void openAgain(), waitMs)
    waitMs = Math.min(waitMs * 2, longestWaitMs)
  }

  async function openAgain(): Promise<void> {
    // An event stream does not tell why it was refused; an ordinary request does, and the pages then ask for sign-in.
    await request('GET /session').catch(() => undefined)
    open()
  }

  function close(): void {
    source?.close()
    source = undefined
  }

  const look = () => (document.hidden ? close() : open())
  const comeBack = () => void openAgain()
  document.addEventListener('visibilitychange', look)
  window.addEventListener('offline', lose)
  window.addEventListener('online', comeBack)
  open()
  return () => {
    hasEnded = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('offline', lose)
    window.removeEventListener('online', comeBack)
    close()
  }
}
