import { definedEvents, type EventField, type EventType, eventTypes } from '@querypost/server/model'
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
  const kinds = Object.keys(typeScriptOf).map(literalText).join(' | ')
  const listed = `export type ListedField = ${kinds}\n\n${note}export const listedFields: Record<string, Record<string, ListedField>> = {\n${checks.join('')}}\n`
  return { 'listed-fields.ts': head + listed, 'listed-events.ts': head + envelope + eventTypes.map(typeOf).join('') + union }
}

const typeScriptOf: Record<EventField['is'], string> = {
  text: 'string',
  reserved: 'string | null',
  integer: 'number',
  boolean: 'boolean',
  texts: 'string[]',
  objects: 'Record<string, unknown>[]',
}

function typeOf(type: EventType): string {
  const fields = fieldsOf(type).map(
    ([name, { is, description }]) => `${comment(description, '    ')}    ${name}: ${typeScriptOf[is]}\n`,
  )
  const { description } = definedEvents[type]
  return `${comment(description)}export type ${nameOf(type)} = Envelope<\n  ${literalText(type)},\n  {\n${fields.join('')}  }\n>\n\n`
}

const fieldsOf = (type: EventType) => Object.entries<EventField>(definedEvents[type].fields)

/** `automation.run.completed` is an `AutomationRunCompletedEvent`. */
const nameOf = (type: EventType) => `${type.split('.').map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')}Event`

/** For the web app: a description of each event type. */
export function eventTypesOfPages(): string {
  const entries = eventTypes.map((type) => {
    const words = Object.entries(definedEvents[type].page).map(([name, text]) => `    ${name}: ${literalText(text)},\n`)
    return `  ${literalText(type)}: {\n${words.join('')}  },\n`
  })
  return `${head}/** What each type of event tells, in words. */\nexport const aboutEventTypes = {\n${entries.join('')}} as const\n`
}
