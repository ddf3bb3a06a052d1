import type { Envelope } from './envelope.ts'
import { WebhookVerificationError } from './errors.ts'
import { listedFields, type ListedField } from './listed-fields.ts'
import type { ListedEvent } from './listed-events.ts'

// TypeScript cannot express "any string except the listed ones". With `string`, `event.type === 'automation.run.completed'` would
// not narrow. So the compiler gets one string that is none of the listed ones.
declare enum Unlisted {
  type = '(a type that this version does not list)',
}
/** At run time this is the event's own type. To compare it with a type you know, use it as text: `String(event.type)`. */
export type UnlistedEventType = Unlisted.type

/** A genuine event of a type newer than this library. Ignore it, or read its data with care. */
export type UnlistedEvent = Envelope<UnlistedEventType, Record<string, unknown>>

export type WebhookEvent = ListedEvent | UnlistedEvent

// Unknown fields pass; a missing listed field would make the types above wrong.
const checks: Record<ListedField, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  reserved: (value) => value === null || typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  objects: (value) => Array.isArray(value) && value.every(isObject),
}
const fieldsByType = new Map(Object.entries(listedFields))

const createdAtForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Reads the verified bytes. */
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
    `The signature is right but the body is not a Querypost event: ${what}. ` +
      `Is the secret also used by another sender?`,
  )
}
