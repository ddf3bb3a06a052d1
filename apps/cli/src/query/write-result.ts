import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { ResultStreamOptions } from '@querypost/client'
import { CommandError, type Context } from '../command.ts'
import { drawTable } from '../table.ts'
import { type FirstRows, readFirstRows } from './first-rows.ts'
import type { OutputChoice } from './formats.ts'

/** Writes a result: a table for people, or a stream of bytes in another format. */
export async function writeResult(
  context: Context,
  options: {
    /** Opens the result; JSON without a format. */
    open(format: Pick<ResultStreamOptions, 'format' | 'isRaw'>): Promise<ReadableStream<Uint8Array>>
    choice: OutputChoice
    /** The number of rows, if it is known already. */
    rowCount?: number | null
  },
): Promise<void> {
  const { choice } = options
  if (choice.format === 'table') {
    const stream = await options.open({})
    const read = await readFirstRows(stream, choice.maxRows || Infinity)
    writeTable(context, { ...read, rowCount: read.rowCount ?? options.rowCount ?? undefined })
    return
  }
  const { format, isRaw, output } = choice
  const stream = await options.open({ format, ...(isRaw && { isRaw }) })
  const bytes = Readable.fromWeb(stream as NodeStream<Uint8Array>)
  if (output !== undefined) {
    await writeFile(bytes, output)
    context.stderr.write(`Wrote ${output}\n`)
    return
  }
  // Standard output stays open for the lines that follow.
  await pipeline(bytes, context.stdout, { end: false })
  // The service sends JSON without a line break at the end.
  if (format === 'json') context.stdout.write('\n')
}

function writeTable({ stdout, stderr, paint }: Context, { fields, rows, rowCount }: FirstRows): void {
  const columns = fields.map(({ name, type }) => ({ name, isNumber: /^(integer|number|decimal)$/.test(type) }))
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  const { text, leftOut: hiddenColumns } = drawTable({ columns, rows, width, paint: paint.stdout })
  stdout.write(text)
  const isWhole = rowCount === rows.length
  const all = rowCount === undefined ? '' : ` of ${rowCount.toLocaleString('en-US')}`
  const shown = isWhole ? counted(rowCount, 'row') : `Showing the first ${rows.length}${all} rows. Use --limit 0 to show all`
  const hidden = hiddenColumns === 0 ? '' : `. ${counted(hiddenColumns, 'column')} did not fit. Use --format csv to get all`
  stderr.write(`${paint.stderr.dim(`${shown}${hidden}.`)}\n`)
}

const counted = (count: number, what: string) => `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`

/** Writes under a temporary name until the file is complete. */
async function writeFile(bytes: Readable, file: string): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(bytes, createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== undefined && /^E[A-Z]+$/.test(code)) throw new CommandError(1, `Can’t write ${file}: ${message}`)
    throw error
  }
}
