import { reserve, writeByte, writeBytes, writeJsonString, writeJsonText, type JsonBytes } from '../json-bytes.ts'
import { textOf, type ValueWriter } from './value-writer.ts'

export const stringText: ValueWriter = writeJsonString

/** Embeds valid JSON verbatim and writes anything else as a string, because not every database validates its JSON. */
export const jsonText: ValueWriter = (out, source, start, end) => {
  const text = textOf(source, start, end)
  try {
    JSON.parse(text)
  } catch {
    return writeJsonText(out, text)
  }
  writeBytes(out, source.subarray(start, end))
}

/** JSON that the database has already validated. */
export const checkedJsonText: ValueWriter = (out, source, start, end) => writeBytes(out, source.subarray(start, end))

/** Bytes, as base64. */
export const base64Of: ValueWriter = (out, source, start, end) =>
  writeBase64(out, Buffer.from(source.buffer, source.byteOffset + start, end - start))

export function writeBase64(out: JsonBytes, bytes: Buffer): void {
  const text = bytes.toString('base64')
  reserve(out, text.length + 2)
  writeByte(out, 0x22)
  out.length += Buffer.from(out.bytes.buffer, out.bytes.byteOffset).write(text, out.length, 'latin1')
  writeByte(out, 0x22)
}
