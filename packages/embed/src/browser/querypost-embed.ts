import { readTarget } from '../frame-address.ts'
import { type EmbedParameters, type HostMessage, isFrom, readFrameMessage } from '../protocol/messages.ts'
import { type EmbedTheme, readTheme } from '../protocol/theme.ts'
import { type EmbedError, type EmbedSession, type GetToken, openSession, type SessionEvent, type SessionState } from '../session.ts'
import { makeParts } from './embed-parts.ts'

/** Attributes that set one value of the theme each. */
const themeAttributes = ['color-scheme', 'accent', 'background', 'surface', 'text', 'muted-text', 'border', 'chart-colors', 'font-family'] as const
const targetAttributes = ['src', 'base-url', 'short-id']

/** On a server there is no `HTMLElement`: the module can be imported there, and the element is defined in the browser. */
const Base = globalThis.HTMLElement ?? Object

/**
 * `<querypost-embed>` shows a query or a board of Querypost.
 *
 * Events: `ready`, `error`, `resize` and `parameters-changed`, each with details. They don't bubble.
 */
export class QuerypostEmbed extends Base {
  static readonly observedAttributes: readonly string[] = [...targetAttributes, 'token', 'title', ...themeAttributes]

  readonly #parts = makeParts(this, () => this.retry())
  #frame: HTMLIFrameElement | undefined
  #session: EmbedSession | undefined
  #origin = ''
  #getToken: GetToken | undefined
  #theme: EmbedTheme | undefined
  /** Attributes that changed since the last update; undefined if none is scheduled. */
  #changed: Set<string> | undefined

  constructor() {
    super()
    // Frameworks may set properties before the element is defined. Those would hide the accessors.
    for (const name of ['getToken', 'theme'] as const) {
      const own = Object.getOwnPropertyDescriptor(this, name)
      if (!own) continue
      Reflect.deleteProperty(this, name)
      Reflect.set(this, name, own.value)
    }
  }

  /** Returns a new token. Called for the first one, unless the `token` attribute is set, and whenever one is about to expire. */
  get getToken(): GetToken | undefined {
    return this.#getToken
  }
  set getToken(callback: GetToken | undefined) {
    this.#getToken = callback
  }

  /** Takes precedence over the attributes. */
  get theme(): EmbedTheme | undefined {
    return this.#theme
  }
  set theme(theme: EmbedTheme | undefined) {
    this.#theme = theme
    this.#schedule('theme')
  }

  /** What the button of the error state does. */
  retry(): void {
    if (this.#session) this.#session.retry()
    else this.#restart()
  }

  override addEventListener<Name extends keyof QuerypostEmbedEvents>(
    type: Name,
    listener: (event: QuerypostEmbedEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  override addEventListener<Name extends keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: HTMLElement, event: HTMLElementEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
  /** Only for the types of the element's own events. */
  override addEventListener(type: string, listener: unknown, options?: boolean | AddEventListenerOptions): void {
    super.addEventListener(type, listener as EventListener, options)
  }

  connectedCallback(): void {
    window.addEventListener('message', this.#receive)
    this.#schedule('src')
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#receive)
    this.#close()
  }

  attributeChangedCallback(name: string): void {
    this.#schedule(name)
  }

  /** Changes that are made together take effect together. */
  #schedule(name: string): void {
    if (this.#changed) {
      this.#changed.add(name)
      return
    }
    this.#changed = new Set([name])
    queueMicrotask(() => {
      const changed = this.#changed!
      this.#changed = undefined
      if (this.isConnected) this.#update(changed)
    })
  }

  #update(changed: ReadonlySet<string>): void {
    if (!this.#session || targetAttributes.some((name) => changed.has(name))) return this.#restart()
    const token = this.getAttribute('token')
    if (changed.has('token') && token) this.#session.setToken(token)
    if (changed.has('title')) this.#setTitle()
    if (changed.has('theme') || themeAttributes.some((name) => changed.has(name))) this.#session.setTheme(this.#currentTheme())
  }

  #restart(): void {
    this.#close()
    const [src, baseUrl, shortId] = targetAttributes.map((name) => this.getAttribute(name))
    const target = readTarget({ src: src!, baseUrl: baseUrl!, shortId: shortId! })
    if (!target) {
      const error = { code: 'not_configured', message: 'Set src to https://<service>/embed/<shortId>, or both base-url and short-id.' }
      this.#parts.show({ name: 'failed', error })
      this.#emit({ type: 'error', error })
      return
    }
    this.#origin = target.origin
    this.#session = openSession({
      target,
      token: this.getAttribute('token') || undefined,
      getToken: () => this.#getToken,
      theme: this.#currentTheme(),
      openFrame: (address) => this.#openFrame(address),
      send: (message) => this.#send(message),
      show: (state) => this.#show(state),
      emit: (event) => this.#emit(event),
      setTimer: (act, ms) => {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
    })
  }

  #close(): void {
    this.#session?.close()
    this.#session = undefined
    this.#frame?.remove()
    this.#frame = undefined
  }

  #openFrame(address: string): void {
    this.#frame?.remove()
    const frame = document.createElement('iframe')
    frame.setAttribute('part', 'frame')
    // The service compares the origin with its list, and needs no path.
    frame.referrerPolicy = 'origin'
    frame.addEventListener('load', () => {
      if (frame === this.#frame) this.#session?.frameLoaded()
    })
    frame.src = address
    this.#frame = frame
    this.#setTitle()
    this.#parts.container.append(frame)
  }

  #setTitle(title = 'Embedded content'): void {
    if (this.#frame) this.#frame.title = this.getAttribute('title') ?? title
  }

  /** Only the service gets the message: if the frame shows anything else, the browser drops it. */
  #send(message: HostMessage): void {
    this.#frame?.contentWindow?.postMessage(message, this.#origin)
  }

  readonly #receive = (event: MessageEvent): void => {
    if (!isFrom(event, { source: this.#frame?.contentWindow, origins: [this.#origin] })) return
    const message = readFrameMessage(event.data)
    if (message) this.#session?.receive(message)
  }

  #show(state: SessionState): void {
    this.#parts.show(state)
  }

  #emit(event: SessionEvent): void {
    if (event.type === 'ready') this.#setTitle(event.title)
    if (event.type === 'resize') this.#frame!.style.height = `${event.height}px`
    const { type, ...rest } = event
    const detail = event.type === 'error' ? event.error : rest
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }

  #currentTheme(): EmbedTheme {
    const given = Object.fromEntries(
      themeAttributes.flatMap((attribute) => {
        const value = this.getAttribute(attribute)
        if (value === null) return []
        const name = attribute.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
        return [[name, attribute === 'chart-colors' ? value.split(',').map((color) => color.trim()) : value]]
      }),
    )
    return readTheme({ ...given, ...this.#theme })
  }
}

export interface QuerypostEmbedEvents {
  ready: CustomEvent<{ title: string }>
  error: CustomEvent<EmbedError>
  resize: CustomEvent<{ height: number }>
  'parameters-changed': CustomEvent<{ parameters: EmbedParameters }>
}

declare global {
  interface HTMLElementTagNameMap {
    'querypost-embed': QuerypostEmbed
  }
}

if (globalThis.customElements && !customElements.get('querypost-embed')) {
  customElements.define('querypost-embed', QuerypostEmbed)
}
