import type { HostChannel } from './host-channel.ts'

/** The token of an embedded page, and how it gets a new one from the page that embeds it. */
export interface TokenKeeper {
  current(): string | undefined
  /** Asks for a new token. Requests that come while one is under way share its answer. Rejects if there is none. */
  renew(): Promise<void>
  /** Calls the listener with each new token, also with one that nobody asked for. Returns a function that stops this. */
  listen(listener: (change: TokenChange) => void): () => void
}

export interface TokenChange {
  /** Whether the new token shows the same as the one before: then everything on the page stays. */
  isSameView: boolean
}

/** Pages that embed without our component may not answer at all. */
const answerMs = 35_000

export function makeTokenKeeper(options: {
  channel: HostChannel
  first: string | undefined
  setTimer(act: () => void, ms: number): () => void
}): TokenKeeper {
  const { channel, setTimer } = options
  let token = options.first
  let pending: { promise: Promise<void>; resolve(): void; reject(error: Error): void } | undefined
  const listeners = new Set<(change: TokenChange) => void>()

  channel.listen((message) => {
    if (message.type === 'querypost:token-failed') pending?.reject(new Error('There is no new token.'))
    if (message.type !== 'querypost:token') return
    const isSameView = token !== undefined && rightsOf(token) === rightsOf(message.token)
    token = message.token
    pending?.resolve()
    for (const listener of listeners) listener({ isSameView })
  })
  return {
    current: () => token,
    renew() {
      if (pending) return pending.promise
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const cancel = setTimer(() => reject(new Error('Nobody answered.')), answerMs)
      const answered = promise.finally(() => {
        cancel()
        pending = undefined
      })
      pending = { promise: answered, resolve, reject }
      channel.send({ type: 'querypost:token-needed' })
      return answered
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** What a token allows, without its times. It is only compared: the service verifies tokens. */
export function rightsOf(token: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
    const { iat: _iat, exp: _exp, nbf: _nbf, jti: _jti, ...rights } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
    return JSON.stringify(rights, Object.keys(rights).length > 0 ? sortedKeys(rights) : undefined)
  } catch {
    return undefined
  }
}

/** All keys at any depth, sorted: as the second argument of `JSON.stringify`, they fix the order. */
function sortedKeys(value: unknown): string[] {
  const keys = new Set<string>()
  JSON.stringify(value, (key, inner: unknown) => {
    keys.add(key)
    return inner
  })
  return [...keys].sort()
}

/** When to ask for a new token: a minute before the old one expires, or halfway if it lasts less than two. */
export const renewalDelayMs = (expiresInSeconds: number): number => Math.max(expiresInSeconds - 60, expiresInSeconds / 2) * 1000
