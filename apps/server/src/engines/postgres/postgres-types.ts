/** PostgreSQL's types by oid: their field type in a result, and how their text becomes JSON. */
import type { FieldType } from '../../model/result.ts'
import { writeAscii } from '../json-bytes.ts'
import { decimalText, integerText, numberText } from '../text-values/number-texts.ts'
import { checkedJsonText, jsonText, stringText, writeBase64 } from '../text-values/quoted-texts.ts'
import { dateText, timestampText, zonedTimestampText } from '../text-values/time-texts.ts'
import { textOf, type ValueWriter } from '../text-values/value-writer.ts'
import { arrayText } from './arrays.ts'

export interface ValueType {
  fieldType: FieldType
  write: ValueWriter
}

const booleanText: ValueWriter = (out, source, start) => writeAscii(out, source[start] === 0x74 ? 'true' : 'false')

/** `\x0123`, or the older escape format that a setting selects: `a\\b\001`. */
const byteaText: ValueWriter = (out, source, start, end) => {
  const text = textOf(source, start, end)
  if (text.startsWith('\\x')) return writeBase64(out, Buffer.from(text.slice(2), 'hex'))
  const plain = text.replaceAll(/\\(\\|[0-7]{3})/g, (_, escaped: string) =>
    escaped === '\\' ? '\\' : String.fromCharCode(Number.parseInt(escaped, 8)))
  return writeBase64(out, Buffer.from(plain, 'latin1'))
}

/** `0123` */
const hexText: ValueWriter = (out, source, start, end) => writeBase64(out, Buffer.from(textOf(source, start, end), 'hex'))

const integer: ValueType = { fieldType: 'integer', write: integerText }
const number: ValueType = { fieldType: 'number', write: numberText }
const string: ValueType = { fieldType: 'string', write: stringText }
const json: ValueType = { fieldType: 'json', write: checkedJsonText }

/** Built-in types, with the oid of their array type. */
const common: [name: string, oid: number, arrayOid: number, type: ValueType][] = [
  ['bool', 16, 1000, { fieldType: 'boolean', write: booleanText }],
  ['int2', 21, 1005, integer],
  ['int4', 23, 1007, integer],
  ['int8', 20, 1016, integer],
  ['oid', 26, 1028, integer],
  ['float4', 700, 1021, number],
  ['float8', 701, 1022, number],
  ['numeric', 1700, 1231, { fieldType: 'decimal', write: decimalText }],
  ['text', 25, 1009, string],
  ['varchar', 1043, 1015, string],
  ['bpchar', 1042, 1014, string],
  ['"char"', 18, 1002, string],
  ['name', 19, 1003, string],
  ['uuid', 2950, 2951, string],
  ['unknown', 705, 0, string],
  ['date', 1082, 1182, { fieldType: 'date', write: dateText }],
  ['timestamp', 1114, 1115, { fieldType: 'timestamp', write: timestampText }],
  ['timestamptz', 1184, 1185, { fieldType: 'timestamp', write: zonedTimestampText }],
  ['time', 1083, 1183, string],
  ['timetz', 1266, 1270, string],
  ['interval', 1186, 1187, string],
  ['bytea', 17, 1001, { fieldType: 'string', write: byteaText }],
  ['json', 114, 199, json],
  ['jsonb', 3802, 3807, json],
  ['inet', 869, 1041, string],
  ['cidr', 650, 651, string],
  // Redshift's; PostgreSQL has no types with these oids.
  ['super', 4000, 0, { fieldType: 'json', write: jsonText }],
  ['varbyte', 6551, 0, { fieldType: 'string', write: hexText }],
]

const known = new Map<number, ValueType>()
for (const [, oid, arrayOid, type] of common) {
  known.set(oid, type)
  if (arrayOid !== 0) known.set(arrayOid, { fieldType: 'json', write: arrayText(type.write) })
}

/** The element type of an array type that was looked up on the server. */
export interface ArrayElement {
  oid: number
  delimiter: string
}

export const isKnown = (oid: number) => known.has(oid)

/** Unknown types that are not arrays are written as the server's text: enums, ranges, composite and geometric types, money. */
export function typeOf(oid: number, arrays: ReadonlyMap<number, ArrayElement>): ValueType {
  const found = known.get(oid)
  if (found) return found
  const element = arrays.get(oid)
  if (!element) return string
  return { fieldType: 'json', write: arrayText(typeOf(element.oid, arrays).write, element.delimiter.charCodeAt(0)) }
}

/** Finds which of the types are arrays, and their element types. A domain counts as its base type. */
export const arraysSql = (oids: number[]) => `
  with recursive element (array_oid, oid) as (
    select oid, typelem from pg_catalog.pg_type where oid in (${oids.join(', ')}) and typcategory = 'A' and typelem <> 0
    union all
    select element.array_oid, type.typbasetype
    from element join pg_catalog.pg_type type using (oid) where type.typtype = 'd'
  )
  select array_oid::bigint, oid::bigint, type.typdelim::text
  from element join pg_catalog.pg_type type using (oid) where type.typtype <> 'd'`
