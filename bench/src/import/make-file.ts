import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

export type Format = 'csv' | 'jsonl'

const blockRows = 10_000

/** An order in about 120 bytes of CSV: numbers, text with and without quotes, a date, a timestamp, and occasional empty values. */
function rowOf(format: Format, index: number): string {
  const customer = `customer ${((index * 2_654_435_761) % 2 ** 32).toString(36)}`
  const remark = index % 7 === 0 ? null : `order ${index}, to be left at the door, please`
  const day = String((index % 28) + 1).padStart(2, '0')
  const minute = String(index % 60).padStart(2, '0')
  const at = `2026-01-${day}T09:${minute}:00Z`
  const amount = (index % 100_000) / 100
  const order = { id: index, customer, remark, day: `2026-01-${day}`, at, amount }
  if (format === 'jsonl') return `${JSON.stringify(order)}\n`
  return `${index},${customer},${remark === null ? '' : `"${remark}"`},2026-01-${day},${at},${amount}\n`
}

/** Writes about this many megabytes of rows, block by block. Resolves with the number of rows and bytes. */
export async function makeFile(options: { file: string; format: Format; sizeMb: number; isPacked: boolean }) {
  const { file, format, sizeMb } = options
  let rowCount = 0
  let contentBytes = 0
  function* blocks() {
    if (format === 'csv') yield 'id,customer,remark,day,at,amount\n'
    while (contentBytes < sizeMb * 1024 * 1024) {
      let block = ''
      for (let index = 0; index < blockRows; index++) block += rowOf(format, rowCount++)
      contentBytes += block.length
      yield block
    }
  }
  const pack = options.isPacked ? [createGzip({ level: 1 })] : []
  await pipeline([Readable.from(blocks()), ...pack, createWriteStream(file)])
  return { rowCount, contentBytes, sizeBytes: (await stat(file)).size }
}
