/**
 * One response of the statement protocol: `{"id": …, "nextUri": …, "columns": […], "data": [rows], "stats": {…}, "error": {…}}`.
 * Only the members around the rows are parsed. The rows are rewritten from the bytes of the response, because parsing would round
 * long integers.
 */
import type { RowBatch } from '../../model/result.ts'
import {
  closeBrace, closeBracket, colon, comma, endOfString, endOfToken, incomplete, NotJson, openBrace, openBracket, quote, type Rewriter,
  skipSpace,
} from '../json-values/json-text.ts'
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

/** Calls `read` for every member, which returns the position after its value. */
function readMembers(source: Buffer, read: (key: string, valueStart: number) => number): void {
  let at = expect(source, skipSpace(source, 0), openBrace)
  while (source[at] !== closeBrace) {
    if (source[at] === comma) at = skipSpace(source, at + 1)
    if (source[at] !== quote) throw new NotJson()
    const keyEnd = complete(endOfString(source, at + 1))
    const key = JSON.parse(source.toString('utf8', at, keyEnd + 1)) as string
    at = expect(source, skipSpace(source, keyEnd + 1), colon)
    at = skipSpace(source, read(key, at))
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

function rewriteRow(source: Buffer, from: number, rewriters: Rewriter[], rows: RowBatcher): number {
  let at = expect(source, from, openBracket)
  rows.begin()
  for (let index = 0; index < rewriters.length; index++) {
    if (index > 0) {
      at = expect(source, at, comma)
      rows.separate()
    }
    at = skipSpace(source, complete(rewriters[index]!(rows.out, source, at)))
  }
  at = expect(source, at, closeBracket)
  rows.end()
  return at
}

/** The position after the byte and the white space that follows it. */
function expect(source: Buffer, at: number, byte: number): number {
  if (source[at] !== byte) throw new NotJson()
  return skipSpace(source, at + 1)
}

function complete(position: number): number {
  if (position === incomplete) throw new NotJson()
  return position
}

function endOfValue(source: Buffer, start: number): number {
  let depth = 0
  let at = start
  do {
    const byte = source[at]
    if (byte === quote) at = complete(endOfString(source, at + 1)) + 1
    else if (byte === openBrace || byte === openBracket) {
      depth++
      at++
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
      at++
    } else if (byte === comma || byte === colon) at++
    else at = complete(endOfToken(source, at))
    if (depth > 0) at = skipSpace(source, at)
  } while (depth > 0)
  return at
}
