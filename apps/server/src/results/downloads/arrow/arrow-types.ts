import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field as ArrowField,
  Float64,
  Int64,
  Schema,
  TimestampMicrosecond,
  TimestampNanosecond,
  Uint64,
  Utf8,
} from 'apache-arrow'
import type { NeededType } from '../column-shapes.ts'

export function arrowType(needed: NeededType): DataType {
  switch (needed.kind) {
    case 'boolean':
      return new Bool()
    case 'double':
      return new Float64()
    case 'int64':
      return new Int64()
    case 'uint64':
      return new Uint64()
    case 'decimal':
      return new Decimal(needed.scale, needed.precision, 128)
    case 'date':
      return new DateDay()
    case 'timestamp':
      return needed.unit === 'ns' ? new TimestampNanosecond('UTC') : new TimestampMicrosecond('UTC')
    case 'json':
    case 'text':
      return new Utf8()
  }
}

/** Marks text columns as JSON with Arrow's extension type. Readers that do not know it see text. */
const jsonExtension = new Map([
  ['ARROW:extension:name', 'arrow.json'],
  ['ARROW:extension:metadata', ''],
])

export function arrowSchema(columns: { name: string; needed: NeededType }[]): Schema {
  return new Schema(
    columns.map(({ name, needed }) => {
      const isNullable = true
      return new ArrowField(name, arrowType(needed), isNullable, needed.kind === 'json' ? jsonExtension : undefined)
    }),
  )
}
