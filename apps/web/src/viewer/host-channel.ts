import { type FrameMessage, type HostMessage, isFrom, readHostMessage } from '@querypost/embed/protocol'

/**
 * The connection of an embedded page with the page that embeds it, the *host*.
 *
 * The service names the origins that may be the host: the same ones that its content security policy lets browsers show this page in.
 * Messages from anywhere else are ignored. Where the browser tells the origin of the host, it must be one of them; elsewhere it becomes
 * known with the first accepted message, and messages wait until then. So nothing is ever sent to an origin that is not listed.
 */
export interface HostChannel {
  send(message: FrameMessage): void
  /** Returns a function that stops listening. */
  listen(listener: (message: HostMessage) => void): () => void
}

/** The parts of a window that the channel uses. */
export interface FrameWindow {
  parent: { postMessage(message: unknown, targetOrigin: string): void }
  /** Not in all browsers. */
  location: { ancestorOrigins?: ArrayLike<string> }
  document: { referrer: string }
  addEventListener(type: 'message', listener: (event: { source: unknown; origin: string; data: unknown }) => void): void
}

export function openHostChannel(frame: FrameWindow, listedOrigins: readonly string[]): HostChannel {
  const { parent } = frame
  const isFramed = (parent as unknown) !== frame
  const origins = isFramed ? possibleHosts(frame, listedOrigins) : []
  let host = origins.length === 1 ? origins[0] : undefined
  /** The newest message of each type. */
  const waiting = new Map<string, FrameMessage>()
  const listeners = new Set<(message: HostMessage) => void>()

  const send = (message: FrameMessage) => {
    if (host !== undefined) parent.postMessage(message, host)
    else if (origins.length > 0) waiting.set(message.type, message)
  }
  frame.addEventListener('message', (event) => {
    if (!isFrom(event, { source: parent, origins: host === undefined ? origins : [host] })) return
    const message = readHostMessage(event.data)
    if (!message) return
    host = event.origin
    if (message.type === 'querypost:connect') send({ type: 'querypost:connected' })
    for (const held of waiting.values()) send(held)
    waiting.clear()
    for (const listener of listeners) listener(message)
  })
  return {
    send,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The listed origins that can be the host. Browsers don't let pages forge where a frame is, or another site as the referrer. */
function possibleHosts({ location, document }: FrameWindow, listed: readonly string[]): readonly string[] {
  const { ancestorOrigins } = location
  if (ancestorOrigins && ancestorOrigins.length > 0) return listed.filter((origin) => origin === ancestorOrigins[0])
  const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined
  return referrer !== undefined && listed.includes(referrer) ? [referrer] : listed
}

/** The origins in the document, see `viewer-page-routes.ts`. */
export const readListedOrigins = (): string[] =>
  document.querySelector<HTMLMetaElement>('meta[name="querypost-embed-origins"]')?.content.split(' ') ?? []
