import type { LinkTo, OpenapiDocument as Document } from '@querypost/server/documentation'
import { definedEvents, type EventField, type EventType, eventTypes } from '@querypost/server/model'
import { schemaText } from './reference-text.ts'

export const eventSchemaNames = eventTypes.map((type) => definedEvents[type].schemaName)

/** The fields of every event. */
export function eventsText(document: Document, _: string, linkTo: LinkTo): string {
  return eventSchemaNames.map((name) => schemaText(document, name, linkTo)).join('\n\n')
}

/** Every event type with its data, and the field by which endpoints can receive it in order. */
export function eventTableText(): string {
  const rows = eventTypes.map((type) => `| ${nameOf(type)} | ${definedEvents[type].description} | ${dataOf(type)} |`)
  return ['| `type` | Sent when | `data` |', '|---|---|---|', ...rows].join('\n')
}

const nameOf = (type: EventType) => (definedEvents[type].isDefault ? `\`${type}\`` : `\`${type}\` (opt-in)`)

const dataOf = (type: EventType) =>
  Object.entries<EventField>(definedEvents[type].fields)
    .map(([name, { is }]) => (is === 'reserved' ? `\`${name}\` (reserved, always null)` : `\`${name}\``))
    .join(', ')
