/**
 * One response of the statement protocol: `{"id": …, "nextUri": …, "columns": […], "data": [rows], "stats": {…}, "error": {…}}`.
 * Only the members around the rows are parsed. The rows are rewritten from the bytes of the response, because parsing would round
 * long integers.
 */
import type { RowBatch } from '../../model/result.ts'
import { endOfValue, readMembers, rewriteRow } from '../json-values/json-members.ts'
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

export interface PageReader {
  /** The columns, once a page has had them. */
  columns(): TrinoColumn[] | undefined
  /** `source` ends with a 0 byte. Full batches are passed to `emit`. */
  read(source: Buffer, emit: (batch: RowBatch) => void): PageFrame
}

export function pageReader(rows: RowBatcher): PageReader {
  let columns: TrinoColumn[] | undefined
  let rewriters: Rewriter[] = []
  return {
    columns: () => columns,
    read(source, emit) {
      const frame: Record<string, unknown> = {}
      readMembers(source, (key, start) => {
        if (key === 'data' && source[start] === openBracket) return rewriteRows({ source, start, rewriters, rows, emit })
        const end = endOfValue(source, start)
        frame[key] = JSON.parse(source.toString('utf8', start, end))
        if (key === 'columns' && !columns && Array.isArray(frame[key])) {
          columns = frame[key] as TrinoColumn[]
          rewriters = columns.map((column) => columnReader(column).rewrite)
        }
        return end
      })
      return frame
    },
  }
}

function rewriteRows(options: {
  source: Buffer
  start: number
  rewriters: Rewriter[]
  rows: RowBatcher
  emit: (batch: RowBatch) => void
}): number {
  const { source, rewriters, rows, emit } = options
  let at = skipSpace(source, options.start + 1)
  while (source[at] !== closeBracket) {
    if (source[at] === comma) at = skipSpace(source, at + 1)
    at = rewriteRow(source, at, rewriters, rows)
    if (rows.isFull()) emit(rows.take())
  }
  return at + 1
}
