/**
 * One response of the statement protocol: `{"id": …, "nextUri": …, "columns": […], "data": [rows], "stats": {…}, "error": {…}}`.
 * Only the members around the rows are parsed. The rows are rewritten from the bytes of the response, because parsing would round
 * long integers.
 *
 * The server names the next page before the rows, so it can be requested before they are rewritten.
 */
import type { RowBatch } from '../../model/result.ts'
import { endOfValue, paused, readMembers, rewriteRow } from '../json-values/json-members.ts'
import { closeBracket, comma, openBracket, type Rewriter, skipSpace } from '../json-values/json-text.ts'
import type { RowBatcher } from '../row-batches.ts'
import { columnReader, type TrinoColumn } from './trino-columns.ts'

export interface PageFrame {
  nextUri?: string
  columns?: TrinoColumn[]
  stats?: TrinoStats
  error?: TrinoFailure
}

export interface TrinoStats {
  state?: string
  progressPercentage?: number
  processedRows?: number
  processedBytes?: number
}

export interface TrinoFailure {
  message?: string
  errorName?: string
  errorLocation?: { lineNumber: number; columnNumber: number }
}

export interface Page {
  hasRows: boolean
  /** Members after the rows are missing until these have been read. */
  frame: PageFrame
  /** The full batches of the rows. */
  batches(): Generator<RowBatch, void>
}

export interface PageReader {
  /** The columns, once a page has had them. */
  columns(): TrinoColumn[] | undefined
  /** `source` ends with a 0 byte. The batches of a page are read before those of the next one. */
  read(source: Buffer): Page
}

export function pageReader(rows: RowBatcher): PageReader {
  let columns: TrinoColumn[] | undefined
  let rewriters: Rewriter[] = []

  function read(source: Buffer): Page {
    const frame: PageFrame & Record<string, unknown> = {}
    let rowsStart: number | undefined

    function readMember(key: string, start: number): number {
      if (key === 'data' && hasRowsAt(source, start)) {
        rowsStart = start
        return frame.nextUri === undefined ? endOfValue(source, start) : paused
      }
      const end = endOfValue(source, start)
      frame[key] = JSON.parse(source.toString('utf8', start, end))
      if (key === 'columns' && !columns && Array.isArray(frame.columns)) {
        columns = frame.columns
        rewriters = columns.map((column) => columnReader(column).rewrite)
      }
      return end
    }

    readMembers(source, readMember)
    return {
      hasRows: rowsStart !== undefined,
      frame,
      *batches() {
        if (rowsStart === undefined) return
        const end = yield* rewriteRows({ source, start: rowsStart, rewriters, rows })
        readMembers(source, readMember, end)
      },
    }
  }

  return { columns: () => columns, read }
}

const hasRowsAt = (source: Buffer, start: number) =>
  source[start] === openBracket && source[skipSpace(source, start + 1)] !== closeBracket

/** Returns the position after the rows. */
function* rewriteRows(options: { source: Buffer; start: number; rewriters: Rewriter[]; rows: RowBatcher }): Generator<RowBatch, number> {
  const { source, rewriters, rows } = options
  let at = skipSpace(source, options.start + 1)
  while (source[at] !== closeBracket) {
    if (source[at] === comma) at = skipSpace(source, at + 1)
    at = rewriteRow(source, at, rewriters, rows)
    if (rows.isFull()) yield rows.take()
  }
  return at + 1
}
