/**
 * Reads a result in ClickHouse's format JSONCompact: `{"meta": […], "data": [ rows ], "rows": 3, "statistics": {…}}`.
 *
 * Status 200 does not mean success: it is sent before the rows exist, and an error in between is written into the body
 * at whatever point the body has reached. So a result is *complete* only when its end is present and states as many rows
 * as arrived. That is why this format was chosen: other streaming formats have no end marker or are unknown to older
 * servers. It also represents values of every type, including types that later versions add.
 */
import type { Field, RowBatch, RunStatistics } from '../../model/result.ts'
import { limitBytes } from '../json-bytes.ts'
import { rowBatcher, type RowBatcher } from '../row-batches.ts'
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
} from '../json-values/json-text.ts'
import { openWindow, type Window } from './window.ts'

/** The body is not a complete result. */
export class IncompleteResult extends Error {
  /** The text where the body breaks off. It contains the server's error message, if there is one. */
  readonly tail: string

  constructor(tail: string) {
    super('The result is incomplete.')
    this.tail = tail
  }
}

/** The body is not a result in this format at all. */
export class UnexpectedFormat extends Error {}

/** How much the statement has read on all shards, according to the server. */
export type Reading = Pick<RunStatistics, 'rowsRead' | 'bytesRead'>

export interface ResultBody {
  fields: Field[]
  batches: AsyncGenerator<RowBatch, Reading>
}

type NextPiece = () => Promise<Uint8Array | null>

/** The JSON before and after the rows. */
interface Frame {
  meta?: { name: string; type: string }[]
  rows?: number | string
  exception?: string
  statistics?: { rows_read?: number | string; bytes_read?: number | string }
}

const rowsMark = '"data":'
/** How much of an error message is kept. The rest is a stack trace. */
const tailBytes = 16 * 1024

/** Resolves when the fields are known. */
export async function readResult(options: { next: NextPiece; times: TimeForm }): Promise<ResultBody> {
  const { times } = options
  let wasLost = false
  // Treat a lost connection as the end of the body: the bytes before it may say why it was lost.
  const next = () => options.next().catch(() => {
    wasLost = true
    return null
  })
  const window = openWindow(next, limitBytes * 2)
  if ((await window.byte()) !== openBrace) throw await incompleteResult(window)
  // No JSON string can contain these bytes, because its quotes are escaped.
  let mark = -1
  while ((mark = window.source().indexOf(rowsMark, window.at)) === -1) {
    if (!(await window.more())) throw await incompleteResult(window)
  }
  const head = parse(`${window.source().toString('utf8', window.at, mark)}"data":0}`)
  if (!Array.isArray(head?.meta)) throw new UnexpectedFormat()
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
  const rows = rowBatcher()
  let rowCount = 0
  try {
    if ((await window.byte()) !== openBracket) throw new NotJson()
    window.at++
    for (let isFirst = true; (await window.byte()) !== closeBracket; isFirst = false) {
      if (!isFirst) {
        if ((await window.byte()) !== comma) throw new NotJson()
        window.at++
      }
      // Rewrite all buffered rows that fit into the batch without awaiting in between. Almost all rows go this way.
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
    throw error instanceof NotJson ? await incompleteResult(window) : error
  }
  if (!rows.isEmpty()) yield rows.take()
  const reading = await readFoot(window, rowCount)
  if (wasLost()) throw new IncompleteResult('')
  return reading
}

/** Rewrites rows, with the commas between them, until the source ends or the batch is full. Returns the number of rows. */
function rewriteRows(window: Window, columns: Rewriter[], rows: RowBatcher): number {
  const source = window.source()
  const { out } = rows
  let { at } = window
  for (let count = 0; ; ) {
    at = skipSpace(source, at)
    const before = out.length
    const end = rewriteRow(source, at, columns, rows)
    if (end === incomplete) {
      out.length = before
      // Leave the comma before the incomplete row unread.
      return count
    }
    window.at = end
    count++
    if (rows.isFull()) return count
    at = skipSpace(source, end)
    if (source[at] !== comma) return count
    // The comma counts as read only together with the row after it.
    at++
  }
}

function rewriteRow(source: Buffer, at: number, columns: Rewriter[], rows: RowBatcher): number {
  if (source[at] === 0) return incomplete
  if (source[at] !== openBracket) throw source[at] === openBrace ? new UnexpectedFormat() : new NotJson()
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

/** Reads the end of the body, which proves that all rows have arrived. It also holds the totals of WITH TOTALS, which are not rows. */
async function readFoot(window: Window, rowCount: number): Promise<Reading> {
  while (await window.more());
  const text = window.source().toString('utf8', window.at, window.end)
  const foot = parse(`{"data":0${text}`)
  if (foot?.exception !== undefined) throw new IncompleteResult(foot.exception)
  if (Number(foot?.rows) !== rowCount) throw new IncompleteResult(text.slice(-tailBytes))
  const [rowsRead, bytesRead] = [Number(foot?.statistics?.rows_read), Number(foot?.statistics?.bytes_read)]
  return {
    rowsRead: Number.isSafeInteger(rowsRead) ? rowsRead : null,
    ...(Number.isSafeInteger(bytesRead) && { bytesRead }),
  }
}

/** Reads to the end, because the error message comes last. */
async function incompleteResult(window: Window): Promise<IncompleteResult> {
  for (;;) {
    window.at = Math.max(window.at, window.end - tailBytes)
    if (await window.more()) continue
    return new IncompleteResult(window.source().toString('utf8', Math.max(0, window.end - tailBytes), window.end))
  }
}

function parse(text: string): Frame | undefined {
  try {
    return JSON.parse(text) as Frame
  } catch {
    return undefined
  }
}
