import { type EmbedTheme, readTheme } from './theme.ts'

/**
 * Messages between an embedded page (the *frame*) and the page that embeds it (the *host*).
 *
 * Both sides ignore a message unless it comes from the other's window, from an expected origin, and has one of these shapes. Unknown
 * fields are dropped. Neither side sends to any origin other than the expected one.
 */
export type FrameMessage =
  /** Answers `connect`. */
  | { type: 'querypost:connected' }
  /** The content is shown. Sent again after each new token. */
  | { type: 'querypost:ready'; title: string }
  /** The height of the content in pixels. */
  | { type: 'querypost:height'; height: number }
  /** The viewer changed parameters. Those that still have their initial value are left out. */
  | { type: 'querypost:parameters'; parameters: EmbedParameters }
  /** The token expires soon or has expired: the host answers with `token` or `token-failed`. */
  | { type: 'querypost:token-needed' }
  | { type: 'querypost:error'; code: string; message: string }

export type HostMessage =
  /** Lets the frame know to whom it talks, where the browser does not tell. */
  | { type: 'querypost:connect' }
  /** Replaces the token. What the viewer has chosen stays. */
  | { type: 'querypost:token'; token: string }
  /** There is no new token. */
  | { type: 'querypost:token-failed' }
  | { type: 'querypost:theme'; theme: EmbedTheme }

type Single = string | number | boolean
export type EmbedParameters = Record<string, Single | Single[]>

const maxHeight = 100_000
const maxTokenCharacters = 8 * 1024

/** Whether a message comes from the expected window and one of the expected origins. */
export function isFrom(
  event: { source: unknown; origin: string },
  expected: { source: unknown; origins: readonly string[] },
): boolean {
  // The window of a frame that is not in the document is null, and so is the source of some messages.
  return event.source !== null && event.source !== undefined && event.source === expected.source && expected.origins.includes(event.origin)
}

export function readFrameMessage(data: unknown): FrameMessage | undefined {
  const fields = fieldsOf(data)
  const { type, title, height, parameters, code, message } = fields
  switch (type) {
    case 'querypost:connected':
    case 'querypost:token-needed':
      return { type }
    case 'querypost:ready':
      return typeof title === 'string' ? { type, title } : undefined
    case 'querypost:height':
      return typeof height === 'number' && height > 0 && height <= maxHeight ? { type, height: Math.ceil(height) } : undefined
    case 'querypost:parameters':
      return isParameters(parameters) ? { type, parameters } : undefined
    case 'querypost:error':
      return typeof code === 'string' && typeof message === 'string' ? { type, code, message } : undefined
    default:
      return undefined
  }
}

export function readHostMessage(data: unknown): HostMessage | undefined {
  const { type, token, theme } = fieldsOf(data)
  switch (type) {
    case 'querypost:connect':
    case 'querypost:token-failed':
      return { type }
    case 'querypost:token':
      return isToken(token) ? { type, token } : undefined
    case 'querypost:theme':
      return typeof theme === 'object' && theme !== null ? { type, theme: readTheme(theme) } : undefined
    default:
      return undefined
  }
}

/** Whether a value looks like a token. Only the service can tell whether it is valid. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxTokenCharacters && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value)

const fieldsOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {}

const isSingle = (value: unknown): value is Single => ['string', 'number', 'boolean'].includes(typeof value)

const isParameters = (value: unknown): value is EmbedParameters =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => (Array.isArray(each) ? each.every(isSingle) : isSingle(each)))
