import { WebhookVerificationError } from './errors.ts'

/** What stands around every event's data. */
interface Envelope<Type extends string, Data> {
  /** The same in every attempt to deliver this event, and equal to the header `svc-webhook-id`: deduplicate on it. */
  id: string
  type: Type
  /** ISO 8601 in UTC with milliseconds. */
  createdAt: string
  data: Data
}

/** An automation's run finished successfully. */
export type AutomationRunCompletedEvent = Envelope<
  'automation.run.completed',
  {
    automationId: string
    automationName: string
    runId: string
    /** A short text: what the run found. */
    summary: string
    /** The permalink of the run's chat. */
    chatUrl: string
    /** Reserved: null in everything sent today. */
    imageUrl: string | null
  }
>

/** An automation's run failed, or was stopped before it completed. */
export type AutomationRunFailedEvent = Envelope<
  'automation.run.failed',
  {
    automationId: string
    automationName: string
    runId: string
    /** The permalink of the run's chat. */
    chatUrl: string
    /** Why it failed, or that it was stopped and by whom. */
    reason: string
  }
>

// "Any string but the listed ones" cannot be written in TypeScript. With `string` in its place, `event.type ===
// 'automation.run.completed'` would not narrow. So the compiler is told of one string that is none of the listed ones.
declare enum Unlisted {
  type = '(a type that this version does not list)',
}
/** At run time the event's own type. To compare it with one that you know of, take it as text: `String(event.type)`. */
export type UnlistedEventType = Unlisted.type

/** A genuine event of a type added later than this library. Ignore it, or read its data with care. */
export type UnlistedEvent = Envelope<UnlistedEventType, Record<string, unknown>>

export type WebhookEvent = AutomationRunCompletedEvent | AutomationRunFailedEvent | UnlistedEvent

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string'
const isTextOrNull: Check = (value) => value === null || isText(value)
const ofEveryRun = { automationId: isText, automationName: isText, runId: isText, chatUrl: isText }

// Fields that are added later pass; a listed one that is missing would make the types above untrue.
const dataFields = new Map<string, Record<string, Check>>([
  ['automation.run.completed', { ...ofEveryRun, summary: isText, imageUrl: isTextOrNull }],
  ['automation.run.failed', { ...ofEveryRun, reason: isText }],
])

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
  for (const [field, holds] of Object.entries(dataFields.get(event['type']) ?? {})) {
    if (!holds(data[field])) throw refuse(`data.${field} is missing or of another type`)
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
