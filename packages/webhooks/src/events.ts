import type { Envelope } from './envelope.ts'
import { WebhookVerificationError } from './errors.ts'
import { listedFields } from './listed-fields.ts'
import type { ListedEvent } from './listed-events.ts'

// "Any string but the listed ones" cannot be written in TypeScript. With `string` in its place, `event.type ===
// 'automation.run.completed'` would not narrow. So the compiler is told of one string that is none of the listed ones.
declare enum Unlisted {
  type = '(a type that this version does not list)',
}
/** At run time the event's own type. To compare it with one that you know of, take it as text: `String(event.type)`. */
export type UnlistedEventType = Unlisted.type

/** A genuine event of a type added later than this library. Ignore it, or read its data with care. */
export type UnlistedEvent = Envelope<UnlistedEventType, Record<string, unknown>>

export type WebhookEvent = ListedEvent | UnlistedEvent

// Fields that are added later pass; a listed one that is missing would make the types above untrue.
const checks = {
  text: (value: unknown) => typeof value === 'string',
  reserved: (value: unknown) => value === null || typeof value === 'string',
}
const fieldsByType = new Map(Object.entries(listedFields))

const createdAtForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Reads the bytes that were verified. */
export function readEvent(bytes: Uint8Array): WebhookEvent {
  const event = readJson(bytes)
  if (!isObject(event)) throw refuse('it is not a JSON object')
  if (typeof event['id'] !== 'string') throw refuse('id is not a string')
  if (typeof event['type'] !== 'string' || event['type'] === '') throw refuse('type is not a string')
  const createdAt = event['createdAt']
  if (typeof createdAt !== 'string' || !createdAtForm.test(createdAt) || Number.isNaN(Date.parse(createdAt))) {
    throw refuse('createdAt is not a time like 2026-01-31T09:30:00.000Z')
  }
  const data = event['data']
  if (!isObject(data)) throw refuse('data is not an object')
  for (const [field, is] of Object.entries(fieldsByType.get(event['type']) ?? {})) {
    if (!checks[is](data[field])) throw refuse(`data.${field} is missing or of another type`)
  }
  return event as unknown as WebhookEvent
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw refuse('it is not JSON in UTF-8')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(what: string) {
  return new WebhookVerificationError(
    'bad_envelope',
    `The signature is right but the body is not an event of Querypost: ${what}. ` +
      `Is the secret used by another sender too?`,
  )
}
