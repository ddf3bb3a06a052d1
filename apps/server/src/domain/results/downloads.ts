import { Readable } from 'node:stream'
import type { ParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import type { ColumnShape } from '../../results/downloads/column-shapes.ts'
import { toCsv } from '../../results/downloads/write-csv.ts'
import { findShapes } from '../../results/downloads/find-shapes.ts'
import { toJsonLines } from '../../results/downloads/json-lines.ts'
import { toParquetRows } from '../../results/downloads/parquet-rows.ts'
import { writeXlsx } from '../../results/downloads/xlsx/write-xlsx.ts'
import { type RawRows, readRawRows } from '../../results/read-rows.ts'
import type { ReferenceLink } from '../../store/references/references-of-query.ts'
import type { Run } from '../../model/run.ts'
import type { SentResult } from './results.ts'
import { nameOfSql } from './name-of-sql.ts'

export const downloadFormats = ['json', 'jsonl', 'csv', 'xlsx', 'parquet', 'arrow'] as const
export type DownloadFormat = (typeof downloadFormats)[number]
/** Formats that are converted while they are sent. JSON is sent as stored, and Parquet has its types at the end. */
export type StreamedFormat = Exclude<DownloadFormat, 'json' | 'parquet'>

/** A little more than the largest row any engine returns: a download holds one row at a time. */
const rowMaxBytes = 40 * 1024 * 1024

const open = async (result: SentResult) => readRawRows(await result.open(), { rowMaxBytes })

/**
 * A result in another format, converted while it is read. Destroying the stream also closes the stored result, even if nothing has
 * been read yet, which a generator that never started would not do.
 */
export async function openStreamed(result: SentResult, options: StreamedOptions): Promise<Readable> {
  const shapes = options.format === 'arrow' ? await findShapes(await open(result), options.signal) : []
  const rows = await open(result)
  const stream = Readable.from(await piecesOf(rows, { ...options, shapes }), { objectMode: false })
  stream.once('close', () => void rows.batches.return(undefined))
  return stream
}

interface StreamedOptions {
  format: StreamedFormat
  isRaw: boolean
  /** Names the sheet of a workbook. */
  title?: string
  /** Aborts when nobody is waiting for it. */
  signal: AbortSignal
}

async function piecesOf(rows: RawRows, options: StreamedOptions & { shapes: ColumnShape[] }) {
  switch (options.format) {
    case 'csv':
      return toCsv(rows, options)
    case 'jsonl':
      return toJsonLines(rows)
    case 'xlsx':
      return writeXlsx([{ title: options.title ?? 'Result', open: async () => rows }])
    case 'arrow': {
      // Half a megabyte of code that few processes ever need.
      const { toArrow } = await import('../../results/downloads/arrow/stream.ts')
      return toArrow(rows, options.shapes)
    }
  }
}

/** A result as Parquet, written completely before it is read, because its types depend on all values. */
export async function openParquet(
  deps: { parquet: ParquetWriter },
  result: SentResult,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; bytes: Readable }> {
  // Opened when its turn comes, so that waiting downloads hold nothing open.
  return deps.parquet.write({ rows: toParquetRows(() => open(result)), signal })
}

/** As registered for Arrow's stream format; `.arrow` is the file format. */
const endings: Record<DownloadFormat, string> = {
  json: 'json',
  jsonl: 'jsonl',
  csv: 'csv',
  xlsx: 'xlsx',
  parquet: 'parquet',
  arrow: 'arrows',
}

/** The file name of a downloaded result: the title of its reference, the tables or first words of its SQL, or the id of its run. */
export function downloadName(run: Pick<Run, 'id' | 'renderedSql'>, references: Pick<ReferenceLink, 'title'>[], format: DownloadFormat): string {
  const title = references[0]?.title ?? nameOfSql(run.renderedSql)
  return `${fileNameOf(title) || run.id}.${endings[format]}`
}

/** A title as the name of a file, without its ending. Empty if nothing remains. */
export function fileNameOf(title: string): string {
  const safe = title
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    // A leading dot hides a file; Windows drops a trailing one.
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return shortenedName(safe)
}

const nameMaxLength = 100

/** Cut between characters: half of one could not be written to a header. */
const shortenedName = (name: string) => name.slice(0, nameMaxLength).replace(/[\uD800-\uDBFF]$/, '').trim()
