/**
 * Rare types (INTERVAL, BIT, TIME with time zone, BIGNUM, VARIANT, …) are converted by the DuckDB library. It takes 200 ms to load,
 * longer than the rest of the child, so it is loaded when the first such type appears.
 */
import { createRequire } from 'node:module'
import type * as nodeApi from '@duckdb/node-api'
import duckdb, { type LogicalType } from '@duckdb/node-bindings'
import { writeAscii, writeBytes, writeJsonText } from '../../json-bytes.ts'
import type { ColumnWriter } from './column-writer.ts'

type Library = typeof nodeApi

let library: Library | undefined

function loadLibrary(): Library {
  library ??= createRequire(import.meta.url)('@duckdb/node-api') as Library
  return library
}

export function libraryWriter(type: LogicalType): ColumnWriter {
  const { DuckDBVector, JsonDuckDBValueConverter } = loadLibrary()
  const typeId = duckdb.get_type_id(type)
  const isVariant = typeId === duckdb.Type.VARIANT
  const isBignum = typeId === duckdb.Type.BIGNUM
  const isGeometry = typeId === duckdb.Type.GEOMETRY
  let loaded: InstanceType<typeof DuckDBVector>
  return {
    fieldType: isVariant ? 'json' : isBignum ? 'integer' : 'string',
    load(vector, count) {
      loaded = DuckDBVector.create(vector, count)
    },
    write(out, row) {
      const value = loaded.getItem(row)
      if (value === null) writeAscii(out, 'null')
      else if (isVariant) {
        const converted = JsonDuckDBValueConverter(value, loaded.type, JsonDuckDBValueConverter)
        writeBytes(out, Buffer.from(JSON.stringify(converted)))
      } else if (isBignum && typeof value === 'bigint') {
        const isExact = value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
        writeAscii(out, isExact ? `${value}` : `"${value}"`)
      } else if (isGeometry && typeof value === 'object' && 'bytes' in value) {
        writeJsonText(out, Buffer.from(value.bytes).toString('base64'))
      } else writeJsonText(out, String(value))
    },
  }
}
