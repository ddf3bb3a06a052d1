import duckdb, { type LogicalType, type Vector } from '@duckdb/node-bindings'
import { writeAscii, writeJsonString, writeJsonText, type JsonBytes } from '../../json-bytes.ts'
import { everyRowIsValid, validityOf, type ColumnWriter } from './column-writer.ts'

const { Type } = duckdb

type MakeWriter = (type: LogicalType) => ColumnWriter

/** LIST and ARRAY become arrays; STRUCT, MAP and UNION become objects (a union's only key is its tag), as in DuckDB's `to_json`. */
export function nestedWriter(type: LogicalType, makeWriter: MakeWriter): ColumnWriter {
  switch (duckdb.get_type_id(type)) {
    case Type.LIST:
      return listWriter(makeWriter(duckdb.list_type_child_type(type)))
    case Type.ARRAY:
      return arrayWriter(makeWriter(duckdb.array_type_child_type(type)), duckdb.array_type_array_size(type))
    case Type.MAP:
      return mapWriter(makeWriter(duckdb.map_type_key_type(type)), makeWriter(duckdb.map_type_value_type(type)))
    case Type.UNION:
      return unionWriter(type, makeWriter)
    default:
      return structWriter(type, makeWriter)
  }
}

/** Adds NULL handling to a nested type, given how its children are loaded and how one value is written. */
function nested(parts: {
  load(vector: Vector, count: number): void
  write(out: JsonBytes, row: number): void
}): ColumnWriter {
  let isValid: (row: number) => boolean = everyRowIsValid
  return {
    fieldType: 'json',
    load(vector, count) {
      isValid = validityOf(vector, count)
      parts.load(vector, count)
    },
    write(out, row) {
      if (isValid(row)) parts.write(out, row)
      else writeAscii(out, 'null')
    },
  }
}

function writeItems(out: JsonBytes, items: { writer: ColumnWriter; from: number; count: number }): void {
  writeAscii(out, '[')
  for (let index = 0; index < items.count; index++) {
    if (index > 0) writeAscii(out, ',')
    items.writer.write(out, items.from + index)
  }
  writeAscii(out, ']')
}

/** Each row of a LIST or MAP vector is an offset and a length into the child vector, 64 bits each. */
function entriesOf(vector: Vector, count: number): (row: number) => { from: number; count: number } {
  const data = duckdb.vector_get_data(vector, count * 16)
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  return (row) => ({
    from: Number(view.getBigUint64(row * 16, true)),
    count: Number(view.getBigUint64(row * 16 + 8, true)),
  })
}

function listWriter(writer: ColumnWriter): ColumnWriter {
  let entry: ReturnType<typeof entriesOf>
  return nested({
    load(vector, count) {
      entry = entriesOf(vector, count)
      writer.load(duckdb.list_vector_get_child(vector), duckdb.list_vector_get_size(vector))
    },
    write: (out, row) => writeItems(out, { writer, ...entry(row) }),
  })
}

function arrayWriter(writer: ColumnWriter, size: number): ColumnWriter {
  return nested({
    load: (vector, count) => writer.load(duckdb.array_vector_get_child(vector), count * size),
    write: (out, row) => writeItems(out, { writer, from: row * size, count: size }),
  })
}

function mapWriter(keys: ColumnWriter, values: ColumnWriter): ColumnWriter {
  let entry: ReturnType<typeof entriesOf>
  return nested({
    load(vector, count) {
      entry = entriesOf(vector, count)
      const pairs = duckdb.list_vector_get_child(vector)
      const size = duckdb.list_vector_get_size(vector)
      keys.load(duckdb.struct_vector_get_child(pairs, 0), size)
      values.load(duckdb.struct_vector_get_child(pairs, 1), size)
    },
    write(out, row) {
      const { from, count } = entry(row)
      writeAscii(out, '{')
      for (let index = from; index < from + count; index++) {
        if (index > from) writeAscii(out, ',')
        writeKey(out, keys, index)
        writeAscii(out, ':')
        values.write(out, index)
      }
      writeAscii(out, '}')
    },
  })
}

/** JSON keys must be strings, so any other key is written as a string of its own JSON. */
function writeKey(out: JsonBytes, keys: ColumnWriter, row: number): void {
  const start = out.length
  keys.write(out, row)
  if (out.bytes[start] === 0x22) return
  const written = out.bytes.slice(start, out.length)
  out.length = start
  writeJsonString(out, written, 0, written.length)
}

function structWriter(type: LogicalType, makeWriter: MakeWriter): ColumnWriter {
  const children = Array.from({ length: duckdb.struct_type_child_count(type) }, (_, index) => ({
    name: duckdb.struct_type_child_name(type, index),
    writer: makeWriter(duckdb.struct_type_child_type(type, index)),
  }))
  // `row(1, 2)` has no names, so it becomes a list. As an object with empty keys it would lose values.
  const isNamed = children.some((child) => child.name !== '')
  return nested({
    load(vector, count) {
      for (const [index, child] of children.entries()) {
        child.writer.load(duckdb.struct_vector_get_child(vector, index), count)
      }
    },
    write(out, row) {
      writeAscii(out, isNamed ? '{' : '[')
      for (const [index, child] of children.entries()) {
        if (index > 0) writeAscii(out, ',')
        if (isNamed) {
          writeJsonText(out, child.name)
          writeAscii(out, ':')
        }
        child.writer.write(out, row)
      }
      writeAscii(out, isNamed ? '}' : ']')
    },
  })
}

/** A UNION vector is a struct of the tag and one child per member. Only the tagged member's child holds a value. */
function unionWriter(type: LogicalType, makeWriter: MakeWriter): ColumnWriter {
  const members = Array.from({ length: duckdb.union_type_member_count(type) }, (_, index) => ({
    name: duckdb.union_type_member_name(type, index),
    writer: makeWriter(duckdb.union_type_member_type(type, index)),
  }))
  let tags: Uint8Array = new Uint8Array(0)
  return nested({
    load(vector, count) {
      tags = duckdb.vector_get_data(duckdb.struct_vector_get_child(vector, 0), count)
      for (const [index, member] of members.entries()) {
        member.writer.load(duckdb.struct_vector_get_child(vector, index + 1), count)
      }
    },
    write(out, row) {
      const member = members[tags[row]!]!
      writeAscii(out, '{')
      writeJsonText(out, member.name)
      writeAscii(out, ':')
      member.writer.write(out, row)
      writeAscii(out, '}')
    },
  })
}
