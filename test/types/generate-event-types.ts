import { definedEvents, type EventField, type EventFieldKind, type EventType, eventTypes, type EventValue } from '@querypost/server/model'
import { comment, literalText } from './type-text.ts'

const head = '// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.\n\n'

/** For the receivers' library: a type for the data of each event, and its required fields. */
export function eventTypesOfLibrary(): Record<string, string> {
  const envelope = "import type { Envelope } from './envelope.ts'\n\n"
  const union = `export type ListedEvent = ${eventTypes.map(nameOf).join(' | ')}\n`
  const checks = eventTypes.map((type) => {
    const fields = fieldsOf(type).map(([name, { is }]) => `${name}: ${literalText(is)}`)
    return `  ${literalText(type)}: { ${fields.join(', ')} },\n`
  })
  const note = '/** Of each listed type, what its data has. `reserved`: null today, a text some day. */\n'
  const kinds = Object.keys(fieldTypes).map(literalText).join(' | ')
  const listed = `${note}export const listedFields: Record<string, Record<string, ${kinds}>> = {\n${checks.join('')}}\n`
  return { 'listed-fields.ts': head + listed, 'listed-events.ts': head + envelope + eventTypes.map(typeOf).join('') + union }
}

function typeOf(type: EventType): string {
  const fields = fieldsOf(type).map(
    ([name, { is, description }]) => `${comment(description, '    ')}    ${name}: ${fieldTypes[is]}\n`,
  )
  const { description } = definedEvents[type]
  return `${comment(description)}export type ${nameOf(type)} = Envelope<\n  ${literalText(type)},\n  {\n${fields.join('')}  }\n>\n\n`
}

/** A reserved field may become text later. */
const fieldTypes: Record<EventFieldKind, string> = {
  text: 'string',
  nullableText: 'string | null',
  integer: 'number',
  boolean: 'boolean',
  textList: 'string[]',
  objectList: 'Record<string, unknown>[]',
  reserved: 'string | null',
}

const fieldsOf = (type: EventType) => Object.entries<EventField>(definedEvents[type].fields)

/** `automation.run.completed` is an `AutomationRunCompletedEvent`. */
const nameOf = (type: EventType) => `${type.split('.').map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')}Event`

/** For the test vectors: the data of a sample of each event type. */
export function eventSamples(): string {
  const entries = eventTypes.map((type) => {
    const data = Object.entries<EventValue>(definedEvents[type].sample).map(([name, value]) => `    ${name}: ${literalText(atExample(value))},\n`)
    return `  ${literalText(type)}: {\n${data.join('')}  },\n`
  })
  return `${head}export const eventSamples: Record<string, Record<string, unknown>> = {\n${entries.join('')}}\n`
}

const atExample = (value: EventValue) =>
  typeof value === 'string' && value.startsWith('/') ? `https://querypost.example.com${value}` : value

/** For the web app: a description of each event type. */
export function eventTypesOfPages(): string {
  const entries = eventTypes.map((type) => {
    const { isDefault, page } = definedEvents[type]
    const words = Object.entries({ ...page, isDefault }).map(([name, value]) => `    ${name}: ${literalText(value)},\n`)
    return `  ${literalText(type)}: {\n${words.join('')}  },\n`
  })
  return `${head}/** What each type of event tells, in words. */\nexport const aboutEventTypes = {\n${entries.join('')}} as const\n`
}
