/**
 * Reads a result in ClickHouse's format JSONCompact: `{"meta": […], "data": [ rows ], "rows": 3, "statistics": {…}}`.
 *
 * Status 200 says nothing about the rows: it is sent before they are made, and a failure in the middle is written
 * into the body, wherever the body happens to be. So a result is *whole* only when its end is there and counts as
 * many rows as came. This is what the format is chosen for: the others that stream have no end of their own, or are
 * unknown to older servers; and it shows values of every type, also of those that later versions bring.
 */
import type { Field, RowBatch, RunStatistics } from '../../model/result.ts'
import { limitBytes } from '../json-bytes.ts'
import { rowGatherer, type RowGatherer } from '../row-batches.ts'
import { columnReader, type TimeForm } from './values/clickhouse-columns.ts'
import {
  closeBracket,
  comma,
  incomplete,
  NotJson,
  openBrace,
  openBracket,
  type Rewriter,
  skipSpace,
} from './values/json-text.ts'
import { openWindow, type Window } from './window.ts'

/** The body is not the whole of a result. */
export class NotWhole extends Error {
  /** What stands where it breaks off, for the words of the failure are somewhere in there. */
  readonly tail: string

  constructor(tail: string) {
    super('The result is not whole.')
    this.tail = tail
  }
}

/** What came is no result in this format at all. */
export class OtherFormat extends Error {}

/** What the server says that the statement has read, on all of its shards. */
export type Reading = Pick<RunStatistics, 'rowsRead' | 'bytesRead'>

export interface ResultBody {
  fields: Field[]
  batches: AsyncGenerator<RowBatch, Reading>
}

type NextPiece = () => Promise<Uint8Array | null>

/** What stands before and behind the rows. */
interface Frame {
  meta?: { name: string; type: string }[]
  rows?: number | string
  exception?: string
  statistics?: { rows_read?: number | string; bytes_read?: number | string }
}

const rowsMark = '"data":'
/** Of a failure's words only as much is kept: the rest is a stack. */
const tailBytes = 16 * 1024

/** Resolves when the fields are known. */
export async function readResult(options: { next: NextPiece; times: TimeForm }): Promise<ResultBody> {
  const { times } = options
  let wasLost = false
  // A lost connection is an end like any other: what came before it may say why.
  const next = () => options.next().catch(() => {
    wasLost = true
    return null
  })
  const window = openWindow(next, limitBytes * 2)
  if ((await window.byte()) !== openBrace) throw await brokenOff(window)
  // No string can hold these bytes: its own quotes have a backslash before them.
  let mark = -1
  while ((mark = window.source().indexOf(rowsMark, window.at)) === -1) {
    if (!(await window.more())) throw await brokenOff(window)
  }
  const head = parse(`${window.source().toString('utf8', window.at, mark)}"data":0}`)
  if (!Array.isArray(head?.meta)) throw new OtherFormat()
  const readers = head.meta.map(({ type }) => columnReader(type, times))
  window.at = mark + rowsMark.length
  return {
    fields: head.meta.map(({ name }, index) => ({ name, type: readers[index]!.fieldType })),
    batches: readRows({ window, columns: readers.map(({ rewrite }) => rewrite), wasLost: () => wasLost }),
  }
}

async function* readRows(options: {
  window: Window
  columns: Rewriter[]
  wasLost: () => boolean
}): AsyncGenerator<RowBatch, Reading> {
  const { window, columns, wasLost } = options
  const rows = rowGatherer()
  let rowCount = 0
  try {
    if ((await window.byte()) !== openBracket) throw new NotJson()
    window.at++
    for (let isFirst = true; (await window.byte()) !== closeBracket; isFirst = false) {
      if (!isFirst) {
        if ((await window.byte()) !== comma) throw new NotJson()
        window.at++
      }
      // As many rows as have come and make a batch, without waiting in between: that is almost all of them.
      let added = rewriteRows(window, columns, rows)
      while (added === 0) {
        if (!(await window.more())) throw new NotJson()
        added = rewriteRows(window, columns, rows)
      }
      rowCount += added
      if (rows.isFull()) yield rows.take()
    }
    window.at++
  } catch (error) {
    throw error instanceof NotJson ? await brokenOff(window) : error
  }
  if (!rows.isEmpty()) yield rows.take()
  const reading = await readFoot(window, rowCount)
  if (wasLost()) throw new NotWhole('')
  return reading
}

/** Rewrites rows, and the commas between them, until the source or the batch is at its end. Gives how many. */
function rewriteRows(window: Window, columns: Rewriter[], rows: RowGatherer): number {
  const source = window.source()
  const { out } = rows
  let { at } = window
  for (let count = 0; ; ) {
    at = skipSpace(source, at)
    const before = out.length
    const end = rewriteRow(source, at, columns, rows)
    if (end === incomplete) {
      out.length = before
      // What is left behind is the comma before the row that is not here yet.
      return count
    }
    window.at = end
    count++
    if (rows.isFull()) return count
    at = skipSpace(source, end)
    if (source[at] !== comma) return count
    // Taken only with the row behind it.
    at++
  }
}

function rewriteRow(source: Buffer, at: number, columns: Rewriter[], rows: RowGatherer): number {
  if (source[at] === 0) return incomplete
  if (source[at] !== openBracket) throw source[at] === openBrace ? new OtherFormat() : new NotJson()
  const { out } = rows
  rows.begin()
  at++
  for (let index = 0; index < columns.length; index++) {
    at = skipSpace(source, at)
    if (index > 0) {
      if (source[at] === 0) return incomplete
      if (source[at] !== comma) throw new NotJson()
      rows.separate()
      at = skipSpace(source, at + 1)
    }
    if (source[at] === 0) return incomplete
    at = columns[index]!(out, source, at)
    if (at === incomplete) return incomplete
  }
  at = skipSpace(source, at)
  if (source[at] === 0) return incomplete
  if (source[at] !== closeBracket) throw new NotJson()
  rows.end()
  return at + 1
}

/** The end of the body proves that the rows before it are all. What WITH TOTALS adds stands here too, and is no row. */
async function readFoot(window: Window, rowCount: number): Promise<Reading> {
  while (await window.more());
  const text = window.source().toString('utf8', window.at, window.end)
  const foot = parse(`{"data":0${text}`)
  if (foot?.exception !== undefined) throw new NotWhole(foot.exception)
  if (Number(foot?.rows) !== rowCount) throw new NotWhole(text.slice(-tailBytes))
  const [rowsRead, bytesRead] = [Number(foot?.statistics?.rows_read), Number(foot?.statistics?.bytes_read)]
  return {
    rowsRead: Number.isSafeInteger(rowsRead) ? rowsRead : null,
    ...(Number.isSafeInteger(bytesRead) && { bytesRead }),
  }
}

/** Reads on to the end, for the words of the failure come last. */
async function brokenOff(window: Window): Promise<NotWhole> {
  for (;;) {
    window.at = Math.max(window.at, window.end - tailBytes)
    if (await window.more()) continue
    return new NotWhole(window.source().toString('utf8', Math.max(0, window.end - tailBytes), window.end))
  }
}

function parse(text: string): Frame | undefined {
  try {
    return JSON.parse(text) as Frame
  } catch {
    return undefined
  }
}
