import { type EmbedTarget, frameAddress } from './frame-address.ts'
import { type EmbedParameters, type FrameMessage, type HostMessage, isToken } from './protocol/messages.ts'
import type { EmbedTheme } from './protocol/theme.ts'

/**
 * One embedded page from its first token to its removal. It decides what to show and what to send; the element does it.
 *
 * - *loading*: nothing is shown yet.
 * - *shown*: the frame shows its content.
 * - *failed*: there is no content, only an error and a button to try again.
 * - *stale*: the content stays, but it can't be updated until there is a new token.
 */
export type SessionState = { name: 'loading' } | { name: 'shown' } | { name: 'failed' | 'stale'; error: EmbedError }

export interface EmbedError {
  /** `token_unavailable`, `frame_not_connected`, `not_configured`, or an error code of the service such as `embed_token_invalid`. */
  code: string
  /** For developers. Visitors see a general message. */
  message: string
}

export type SessionEvent =
  | { type: 'ready'; title: string }
  | { type: 'error'; error: EmbedError }
  | { type: 'resize'; height: number }
  | { type: 'parameters-changed'; parameters: EmbedParameters }

export type GetToken = () => string | Promise<string>

export interface SessionOptions {
  target: EmbedTarget
  /** Undefined: `getToken` gives the first one. */
  token: string | undefined
  /** The current callback; undefined if the page has set none. */
  getToken(): GetToken | undefined
  theme: EmbedTheme
  openFrame(address: string): void
  send(message: HostMessage): void
  show(state: SessionState): void
  emit(event: SessionEvent): void
  /** Returns a function that cancels the timer. */
  setTimer(act: () => void, ms: number): () => void
}

export interface EmbedSession {
  /** The document of the frame has loaded, or the browser has blocked it. */
  frameLoaded(): void
  /** Takes a message whose sender has been checked. */
  receive(message: FrameMessage): void
  setToken(token: string): void
  setTheme(theme: EmbedTheme): void
  retry(): void
  close(): void
}

/** How long the document of the frame may take to load. */
const loadMs = 30_000
/** How long the loaded document may take to answer. Its scripts have run by then. */
const connectMs = 5_000
/** How long the callback may take. */
const tokenMs = 30_000

export function openSession(options: SessionOptions): EmbedSession {
  const { target, openFrame, send, emit, setTimer } = options
  let { token, theme } = options
  let isClosed = false
  let isRenewing = false
  let hasContent = false
  let state: SessionState['name'] = 'loading'
  let cancelWaiting: (() => void) | undefined

  const show = (next: SessionState) => {
    state = next.name
    options.show(next)
  }
  const fail = (error: EmbedError) => {
    cancelWaiting?.()
    show({ name: hasContent ? 'stale' : 'failed', error })
    emit({ type: 'error', error })
  }
  const waitForFrame = (ms: number) => {
    cancelWaiting?.()
    cancelWaiting = setTimer(() => {
      fail({
        code: 'frame_not_connected',
        message: `${target.origin} did not answer. Check the address, and that this site is listed under Settings → Sharing → Embedding.`,
      })
    }, ms)
  }

  /** Undefined if there is none; then the error has been reported. */
  async function askForToken(): Promise<string | undefined> {
    const callback = options.getToken()
    if (!callback) {
      fail({ code: 'token_unavailable', message: 'There is no valid token. Set getToken, or set the token attribute to a new one.' })
      return undefined
    }
    try {
      const given = await withTimeout((async () => callback())())
      if (!isToken(given)) throw new Error('it did not return a token')
      return given
    } catch (error) {
      if (!isClosed) fail({ code: 'token_unavailable', message: `getToken failed: ${error instanceof Error ? error.message : String(error)}` })
      return undefined
    }
  }

  function withTimeout<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const cancel = setTimer(() => reject(new Error(`it took longer than ${tokenMs / 1000} seconds`)), tokenMs)
      promise.finally(cancel).then(resolve, reject)
    })
  }

  async function start(): Promise<void> {
    show({ name: 'loading' })
    if (token === undefined) {
      const asked = await askForToken()
      // The page may have set one in the meantime.
      token ??= asked
    }
    if (token === undefined || isClosed) return
    openFrame(frameAddress(target, token, theme))
    waitForFrame(loadMs)
  }

  /** Requests that come while one is under way get its token. */
  async function renew(): Promise<void> {
    if (isRenewing) return
    isRenewing = true
    const renewed = await askForToken()
    isRenewing = false
    if (isClosed) return
    if (renewed === undefined) send({ type: 'querypost:token-failed' })
    else use(renewed)
  }

  function use(renewed: string): void {
    token = renewed
    send({ type: 'querypost:token', token: renewed })
    if (hasContent) show({ name: 'shown' })
  }

  void start()
  return {
    frameLoaded() {
      if (isClosed) return
      if (state === 'loading') waitForFrame(connectMs)
      send({ type: 'querypost:connect' })
    },
    receive(message) {
      if (isClosed) return
      cancelWaiting?.()
      switch (message.type) {
        case 'querypost:connected':
          return
        case 'querypost:ready':
          hasContent = true
          show({ name: 'shown' })
          return emit({ type: 'ready', title: message.title })
        case 'querypost:height':
          return emit({ type: 'resize', height: message.height })
        case 'querypost:parameters':
          return emit({ type: 'parameters-changed', parameters: message.parameters })
        case 'querypost:token-needed':
          return void renew()
        case 'querypost:error':
          return fail({ code: message.code, message: message.message })
      }
    },
    setToken(given) {
      const isFirst = token === undefined
      token = given
      if (state === 'failed') void start()
      else if (!isFirst) use(given)
    },
    setTheme(given) {
      theme = given
      send({ type: 'querypost:theme', theme: given })
    },
    retry() {
      if (state === 'loading') return
      if (hasContent) return void renew()
      // The token may be the reason of the failure.
      if (options.getToken()) token = undefined
      void start()
    },
    close() {
      isClosed = true
      cancelWaiting?.()
    },
  }
}
