import { Readable } from 'node:stream'
import type { ParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import { toCsv } from '../../results/downloads/csv.ts'
import { findShapes } from '../../results/downloads/find-shapes.ts'
import { toJsonLines } from '../../results/downloads/json-lines.ts'
import { toParquetRows } from '../../results/downloads/parquet-rows.ts'
import { readRawRows } from '../../results/read-rows.ts'
import type { ReferenceLink } from '../../store/references/references-of-query.ts'
import type { Run } from '../runs/run.ts'
import type { CachedResult } from './results.ts'

export const downloadFormats = ['json', 'jsonl', 'csv', 'parquet', 'arrow'] as const
export type DownloadFormat = (typeof downloadFormats)[number]
/** Made while they are sent. JSON is sent as it is stored, and Parquet has its types at the end. */
export type StreamedFormat = Exclude<DownloadFormat, 'json' | 'parquet'>

/** The largest row that any engine gives, and some: a download holds one at a time. */
const rowMaxBytes = 40 * 1024 * 1024

const open = async (result: CachedResult) => readRawRows(await result.open(), { rowMaxBytes })

/** A result in another format, made while it is read. */
export async function openStreamed(result: CachedResult, options: StreamedOptions): Promise<Readable> {
  return Readable.from(await piecesOf(result, options), { objectMode: false })
}

interface StreamedOptions {
  format: StreamedFormat
  isRaw: boolean
  /** Aborts when nobody waits for it any more. */
  signal: AbortSignal
}

async function piecesOf(result: CachedResult, options: StreamedOptions) {
  switch (options.format) {
    case 'csv':
      return toCsv(await open(result), options)
    case 'jsonl':
      return toJsonLines(await open(result))
    case 'arrow': {
      // Half a megabyte of code that few processes ever need.
      const { toArrow } = await import('../../results/downloads/arrow/stream.ts')
      const shapes = await findShapes(await open(result), options.signal)
      return toArrow(await open(result), shapes)
    }
  }
}

/** A result as Parquet, written before it is read: its types follow from all of its values. */
export async function openParquet(
  deps: { parquet: ParquetWriter },
  result: CachedResult,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; bytes: Readable }> {
  return deps.parquet.write({ rows: toParquetRows(await open(result)), signal })
}

/** As registered for Arrow's stream format; `.arrow` is its file format. */
const endings: Record<DownloadFormat, string> = {
  json: 'json',
  jsonl: 'jsonl',
  csv: 'csv',
  parquet: 'parquet',
  arrow: 'arrows',
}

/** What a downloaded result is called: by the reference that shows it, or by its run. */
export function downloadName(run: Run, references: ReferenceLink[], format: DownloadFormat): string {
  const title = references[0]?.title ?? ''
  const safe = title
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    // A leading point hides a file, a trailing one is dropped by Windows.
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return `${shortenedName(safe) || run.id}.${endings[format]}`
}

const nameMaxLength = 100

/** Cut between characters: half of one could not be written into a header. */
const shortenedName = (name: string) => name.slice(0, nameMaxLength).replace(/[\uD800-\uDBFF]$/, '').trim()
