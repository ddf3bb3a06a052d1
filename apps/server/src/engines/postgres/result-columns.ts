import type { MessageReader } from './message-reader.ts'

/** A column of a result, as the server describes it. For a domain, the server reports its base type. */
export interface ResultColumn {
  name: string
  oid: number
}

/** The fields after the name: table, column, type, size, modifier, format. */
const restBytes = 4 + 2 + 4 + 2 + 4 + 2
const oidOffset = 4 + 2

export function readColumns({ bytes, start }: MessageReader): ResultColumn[] {
  const columns: ResultColumn[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left--) {
    const nameEnd = bytes.indexOf(0, at)
    columns.push({ name: bytes.toString('utf8', at, nameEnd), oid: bytes.readUInt32BE(nameEnd + 1 + oidOffset) })
    at = nameEnd + 1 + restBytes
  }
  return columns
}
