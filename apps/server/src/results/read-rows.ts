import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Field } from '../engines/engine.ts'
import { makeRowSplitter } from './row-splitter.ts'
import type { StoredResult } from './result-store.ts'

export interface StoredRows {
  fields: Field[]
  /** Some rows at a time, in order. Leaving the loop early frees everything. */
  batches: AsyncIterable<unknown[][]>
  /** For whoever wants the fields only, and never begins the loop. */
  close(): Promise<void>
}

const unpackedChunkBytes = 128 * 1024

/** Reads a stored result a batch of rows at a time: a result of any size passes through a few megabytes of memory. */
export async function readRows(stored: StoredResult): Promise<StoredRows> {
  const lists = fieldsThenRows(stored)
  const { value: fields } = (await lists.next()) as { value: Field[] }
  return { fields, batches: lists as AsyncIterable<unknown[][]>, close: async () => void (await lists.return(undefined)) }
}

/** The fields first, then batches of rows. */
async function* fieldsThenRows({ bytes }: StoredResult): AsyncGenerator<Field[] | unknown[][], undefined> {
  const packed = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes
  // What goes wrong comes out of the loop below.
  const unpacked = pipeline(packed, createGunzip({ chunkSize: unpackedChunkBytes }), () => {})
  const splitter = makeRowSplitter()
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      for (const piece of splitter.push(chunk)) yield JSON.parse(piece) as Field[] | unknown[][]
      if (splitter.isOver()) return
    }
    throw new Error('The stored result ends in the middle: its file is damaged.')
  } finally {
    unpacked.destroy()
    packed.destroy()
  }
}
