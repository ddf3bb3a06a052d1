import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './schema.ts'

/**
 * Generates values for schemas. A *slot* is a placeholder for an id that is known only when the request is sent: `«own.queryId»` for the
 * caller's organization, `«other.queryId»` for another. So a case means the same in every run.
 */
export const slotNames = [
  'queryId',
  'shortId',
  'runId',
  'databaseId',
  'keyId',
  'userId',
  'invitationId',
  'endpointId',
  'deliveryId',
  'automationId',
  'automationRunId',
  'chatShortId',
  'connectorId',
  'organizationId',
  'boardShortId',
  'folderId',
  'questionSetId',
  'tileId',
  'threadId',
  'commentId',
  'linkId',
  'embedSecretId',
  'channelId',
  'reportId',
  'reportDeliveryId',
  'metricId',
] as const
export type SlotName = (typeof slotNames)[number]

export const mostly = <Value>(usual: Arbitrary<Value>, seldom: Arbitrary<Value>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: seldom })

const slot = (name: SlotName) => mostly(fc.constant(`«own.${name}»`), fc.constant(`«other.${name}»`))
const anySlot = fc.constantFrom(...slotNames).chain(slot)

const oddTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200b',
  '🚀👩‍👩‍👧',
  'ＡＢＣ',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  "'; drop table numbers; --",
  '{{name}}',
  '{{',
  '<script>alert(1)</script>',
  '${7*7}',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e400',
  '2026-02-30T25:61:00Z',
  '00000000-0000-7000-8000-000000000000',
  'x'.repeat(5001),
  'ü'.repeat(70_000),
]
export const oddText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 30 }), anySlot)
const oddNumber = fc.constantFrom(0, -0, -1, 1.5, 101, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE)
const deep = (depth: number) => Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1)

/** JSON values that fit no schema here. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, [], {}, [[]], { length: -1 }, { toString: 1 }, deep(40), deep(2000)),
  fc.jsonValue({ maxDepth: 2 }),
)

const anyDate = fc.date({ noInvalidDate: true }).map((date) => date.toISOString())

/** Times around the clock of the test service. */
const moment = fc.constantFrom('2026-01-05T08:00:00.000Z', '2026-01-05T10:00:00Z', '2025-12-24T00:00:00+14:00', '0001-01-01T00:00Z')

const realTexts: Record<string, Arbitrary<string>> = {
  sql: fc.constantFrom('select 1', 'select n from numbers where n < {{most}}', 'drop table numbers', 'select', '{{a}}'),
  email: fc.constantFrom('admin@shop.test', 'new@shop.test', 'nobody', 'a@b'),
  password: fc.constantFrom('correct horse battery', 'short', 'x'.repeat(300)),
  url: fc.constantFrom('https://hooks.example/a', 'http://hooks.example', 'https://127.0.0.1/', 'https://[::1]:99999', 'odd'),
  cron: fc.constantFrom('0 9 * * 1', '* * * * *', '61 * * * *', 'never'),
  timeZone: fc.constantFrom('Europe/Vienna', 'UTC', 'Mars/Olympus'),
  cursor: fc.constantFrom('x', 'eyJhIjoxfQ.x', 'A'.repeat(2000)),
  since: moment,
  from: moment,
  to: moment,
  file: fc.constantFrom('numbers.duckdb', 'gone.duckdb', '../numbers.duckdb'),
  search: fc.constantFrom('evt_1', '«own.deliveryId»', '«other.deliveryId»', '%', '_'),
  type: fc.constantFrom('number', 'text', 'table', 'bar', 'date'),
  defaultValue: fc.constantFrom('3', '', 'x', '2026-01-05'),
  name: fc.constantFrom('most', 'New', 'numbers', 'ours'),
  instructions: fc.constantFrom('Tell me.', 'x'.repeat(20_000)),
}

/** Generates a value that fits the schema. */
export function validValue(schema: Schema, name = ''): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((each) => validValue(each, name)))
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 })
  return fc.oneof(...types.map((type) => fittingType(type, schema, name)))
}

function fittingType(type: string, schema: Schema, name: string): Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fittingText(schema, name)
    case 'integer':
      return fc.maxSafeInteger().map((value) => within(value, schema))
    case 'number':
      return fc.double({ noNaN: true, min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6 })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(validValue(schema.items ?? {}, name.replace(/s$/, '')), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      })
    case 'object':
      return fittingObject(schema)
    default:
      throw new Error(`No value of type ${type} can be generated.`)
  }
}

/** Prefers small numbers and the bounds, where faults are most likely. */
const within = (value: number, { minimum = -Infinity, maximum = Infinity }: Schema) =>
  Math.min(maximum, Math.max(minimum, value))

function fittingObject(schema: Schema): Arbitrary<unknown> {
  const { properties = {}, required = [], patternProperties = {}, additionalProperties } = schema
  const known = Object.entries(properties).map(([name, schema]) => [name, validValue(schema, name)] as const)
  if (known.length > 0) return fc.record(Object.fromEntries(known), { requiredKeys: required })
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const values = Object.values(patternProperties)[0] ?? others
  return values ? fc.dictionary(fc.string({ maxLength: 8 }), validValue(values), { maxKeys: 3 }) : fc.constant({})
}

function fittingText(schema: Schema, name: string): Arbitrary<string> {
  const { minLength = 0, maxLength = 200, format } = schema
  const text = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  if (format === 'uuid') return mostly(slot('queryId'), fc.uuid())
  const real = realTexts[name]
  if (format === 'date-time') return mostly(real ?? moment, anyDate)
  if (real) return mostly(real, text)
  const named = slotFor(name)
  return named ? mostly(slot(named), fc.oneof(anySlot, text)) : text
}

/** The kind of id that a field or parameter of this name takes, if any. */
export function slotFor(name: string, path = ''): SlotName | undefined {
  if (name === 'id') return idsByPlace.find(([place]) => path.includes(place))?.[1]
  if (name === 'shortId' && path.includes('/chats/')) return 'chatShortId'
  if (name === 'shortId' && path.includes('/boards/')) return 'boardShortId'
  if (name === 'referenceShortId') return 'shortId'
  if (name === 'reference') return 'shortId'
  if (name === 'analyticalDatabaseConfigId') return 'databaseId'
  return slotNames.find((each) => each === name)
}

const idsByPlace: [string, SlotName][] = [
  ['/api-keys/', 'keyId'],
  ['/invitations/', 'invitationId'],
  ['/webhook-endpoints/', 'endpointId'],
  ['/deliveries/', 'deliveryId'],
  ['/report-deliveries/', 'reportDeliveryId'],
  ['/channels/', 'channelId'],
  ['/automations/', 'automationId'],
  ['/automation-runs/', 'automationRunId'],
  ['/data-connectors/', 'connectorId'],
  ['/databases/', 'databaseId'],
  ['/folders/', 'folderId'],
  ['/question-sets/', 'questionSetId'],
  ['/metrics/', 'metricId'],
  ['/public-links/', 'linkId'],
  ['/embed-secrets/', 'embedSecretId'],
]

/** Generates the same value with one fault in it. */
export function invalidValue(value: unknown): Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return oddValue
  const keys = Object.keys(value)
  const withOne = (key: string, made: Arbitrary<unknown>) => made.map((inner) => changed(value, key, inner))
  const ways: Arbitrary<unknown>[] = [oddValue, fc.tuple(oddText, oddValue).map(([key, extra]) => changed(value, key, extra))]
  if (keys.length > 0) {
    const key = fc.constantFrom(...keys)
    ways.push(key.chain((each) => withOne(each, invalidValue((value as Record<string, unknown>)[each]))))
    ways.push(key.chain((each) => withOne(each, oddValue)))
    ways.push(key.map((each) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== each))))
  }
  return fc.oneof(...ways)
}

function changed(value: object, key: string, inner: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown, index) => (String(index) === key ? inner : each))
  return Object.fromEntries([...Object.entries(value), [key, inner]])
}
