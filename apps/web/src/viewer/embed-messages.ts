/**
 * Messages between an embedded page and the page that embeds it.
 *
 * - To the parent: `ready` and `height`, so that the frame can be as high as its content, and `error` with its code.
 * - From the parent: `token`, a new token in place of an expired one, and `theme`.
 *
 * Only listed sites can be the parent, because browsers enforce the policy of this document. Messages of any other window are ignored, and
 * none sent from here contains data.
 */
export type MessageToParent =
  | { type: 'querypost:ready'; title: string }
  | { type: 'querypost:height'; height: number }
  | { type: 'querypost:error'; code: string; message: string }

export type MessageFromParent = { type: 'querypost:token'; token: string } | { type: 'querypost:theme'; theme: 'light' | 'dark' }

export function tellParent(message: MessageToParent): void {
  if (window.parent !== window) window.parent.postMessage(message, '*')
}

/** Returns a function that stops listening. */
export function onParentMessage(listener: (message: MessageFromParent) => void): () => void {
  const receive = ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || source === window) return
    const message = readMessage(data)
    if (message) listener(message)
  }
  window.addEventListener('message', receive)
  return () => window.removeEventListener('message', receive)
}

export function readMessage(data: unknown): MessageFromParent | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, token, theme } = data as Record<string, unknown>
  if (type === 'querypost:token' && typeof token === 'string') return { type, token }
  if (type === 'querypost:theme' && (theme === 'light' || theme === 'dark')) return { type, theme }
  return undefined
}
