import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Querypost } from '@querypost/client'
import { Complaint, type Context } from '../command.ts'
import { drawTable } from '../table.ts'
import { type FirstRows, readFirstRows } from './first-rows.ts'
import type { Wanted } from './formats.ts'

/** Writes a query's cached result: a table for people, or the bytes of a format as they come, whatever their size. */
export async function writeResult(
  context: Context,
  client: Querypost,
  options: {
    queryId: string
    wanted: Wanted
    /** How many rows there are, where that is known already. */
    rowCount?: number | null
  },
): Promise<void> {
  const { queryId, wanted } = options
  const { signal } = context
  if (wanted.format === 'table') {
    const stream = await client.queries.resultStream(queryId, { signal })
    const read = await readFirstRows(stream, wanted.rowsMax || Infinity)
    writeTable(context, { ...read, rowCount: read.rowCount ?? options.rowCount ?? undefined })
    return
  }
  const { format, isRaw, output } = wanted
  const stream = await client.queries.resultStream(queryId, { signal, format, ...(isRaw && { isRaw }) })
  const bytes = Readable.fromWeb(stream as NodeStream<Uint8Array>)
  if (output !== undefined) {
    await writeFile(bytes, output)
    context.stderr.write(`Written to ${output}\n`)
    return
  }
  // Not ended: the process's output stays open for what else there is to say.
  await pipeline(bytes, context.stdout, { end: false })
  // The service ends a document where its data ends; a terminal and `--json` want a line.
  if (format === 'json') context.stdout.write('\n')
}

function writeTable({ stdout, stderr, paint }: Context, { fields, rows, rowCount }: FirstRows): void {
  const columns = fields.map(({ name, type }) => ({ name, isNumber: /^(integer|number|decimal)$/.test(type) }))
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  const { text, leftOut } = drawTable({ columns, rows, width, paint: paint.stdout })
  stdout.write(text)
  const isWhole = rowCount === rows.length
  const all = rowCount === undefined ? '' : ` of ${rowCount.toLocaleString('en-US')}`
  const shown = isWhole ? counted(rowCount, 'row') : `The first ${rows.length}${all} rows; --limit 0 shows all`
  const hidden = leftOut === 0 ? '' : `. ${counted(leftOut, 'more column')} did not fit; --format csv has all`
  stderr.write(`${paint.stderr.dim(`${shown}${hidden}.`)}\n`)
}

const counted = (count: number, what: string) => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`

/** Under another name until it is whole: half a file does not look like one. */
async function writeFile(bytes: Readable, file: string): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(bytes, createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== undefined && /^E[A-Z]+$/.test(code)) throw new Complaint(1, `${file} cannot be written: ${message}`)
    throw error
  }
}
