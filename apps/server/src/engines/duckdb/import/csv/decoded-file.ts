import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ImportFault } from '../import-fault.ts'
import { readChunks } from '../source-file.ts'
import type { Encoding } from './csv-reading.ts'

/** The path of the file in UTF-8: the file itself, unless it has another encoding. The copy is in the child's folder. */
export async function decoded(file: string, encoding: Encoding): Promise<string> {
  if (encoding === 'utf-8') return file
  const target = resolve('decoded')
  await pipeline(decodedTexts(file, encoding), createWriteStream(target))
  return target
}

/** The file's text, in pieces. */
export async function* decodedTexts(file: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of readChunks(file)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ImportFault('file', `The file is not encoded in ${encoding.toUpperCase()}. Choose another encoding.`)
  }
}
