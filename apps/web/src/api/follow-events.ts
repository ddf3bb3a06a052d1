import { operationUrl, type UrlInput, type Answer, type OperationName, type Rest } from './operations.ts'
import { request } from './request.ts'

/**
 * Follows server-sent events until it is ended.
 *
 * - When the connection is lost or rejected, the stream is reopened with backoff. `input` is called each time, so it can name the
 *   last event seen. An ended session is noticed at the same time.
 * - A hidden page has no stream. Over plain HTTP, browsers allow few connections per site across all tabs, and background tabs must
 *   not use them up.
 * - Going offline leaves a stream hanging, so it is closed when the browser reports it and reopened immediately when back online.
 */
export interface FollowOptions<Name extends EventStream> {
  stream: Name
  input(): UrlInput<Name>
  event: string
  onData(data: Answer<Name>): void
  onConnectionChange?(isConnected: boolean): void
}

/** The operations that return an event stream; the answer's type is that of an event's data. */
type EventStream = Extract<OperationName, `GET ${string}/events`>

const firstWaitMs = 500
const maxWaitMs = 15_000

/** Returns a function that ends it. */
export function followEvents<Name extends EventStream>(options: FollowOptions<Name>): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = firstWaitMs
  let hasEnded = false

  function open(): void {
    clearTimeout(timer)
    if (hasEnded || source || document.hidden) return
    const opened = new EventSource(operationUrl(options.stream, ...([options.input()] as Rest<UrlInput<Name>>)))
    source = opened
    opened.addEventListener('open', () => {
      waitMs = firstWaitMs
      options.onConnectionChange?.(true)
    })
    opened.addEventListener(options.event, (message: MessageEvent<string>) => 
      options.onData(JSON.parse(message.data) as Answer<Name>),
    )
    opened.addEventListener('error', handleLoss)
  }

  function handleLoss(): void {
    close()
    clearTimeout(timer)
    options.onConnectionChange?.(false)
    timer = setTimeout(() => void reopen(), waitMs)
    waitMs = Math.min(waitMs * 2, maxWaitMs)
  }

  async function reopen(): Promise<void> {
    // EventSource doesn't expose why it was rejected. An ordinary request does, and leads to sign-in if the session has ended.
    await request('GET /session').catch(() => undefined)
    open()
  }

  function close(): void {
    source?.close()
    source = undefined
  }

  const followVisibility = () => (document.hidden ? close() : open())
  const reopenNow = () => void reopen()
  document.addEventListener('visibilitychange', followVisibility)
  window.addEventListener('offline', handleLoss)
  window.addEventListener('online', reopenNow)
  open()
  return () => {
    hasEnded = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', followVisibility)
    window.removeEventListener('offline', handleLoss)
    window.removeEventListener('online', reopenNow)
    close()
  }
}
