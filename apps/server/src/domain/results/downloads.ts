import { Readable } from 'node:stream'
import type { ParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import { toCsv } from '../../results/downloads/csv.ts'
import { toLines } from '../../results/downloads/lines.ts'
import { readRawRows } from '../../results/read-rows.ts'
import type { ReferenceLink } from '../../store/references/references-of-query.ts'
import type { Run } from '../runs/run.ts'
import type { CachedResult } from './results.ts'

export const downloadFormats = ['json', 'csv', 'parquet'] as const
export type DownloadFormat = (typeof downloadFormats)[number]

/** The largest row that any engine gives, and some: a download holds one at a time. */
const rowMaxBytes = 40 * 1024 * 1024

/** A result as CSV, made while it is read. */
export async function openCsv(result: CachedResult): Promise<Readable> {
  const rows = await readRawRows(await result.open(), { rowMaxBytes })
  return Readable.from(toCsv(rows), { objectMode: false })
}

/** A result as Parquet, written before it is read: its types follow from all of its values. */
export async function openParquet(
  deps: { parquet: ParquetWriter },
  result: CachedResult,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; bytes: Readable }> {
  const rows = await readRawRows(await result.open(), { rowMaxBytes })
  return deps.parquet.write({ rows: toLines(rows), signal })
}

/** What a downloaded result is called: by the reference that shows it, or by its run. */
export function downloadName(run: Run, references: ReferenceLink[], format: DownloadFormat): string {
  const title = references[0]?.title ?? ''
  const safe = title
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    // A leading point hides a file, a trailing one is dropped by Windows.
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return `${shortenedName(safe) || run.id}.${format}`
}

const nameMaxLength = 100

/** Cut between characters: half of one could not be written into a header. */
const shortenedName = (name: string) => name.slice(0, nameMaxLength).replace(/[\uD800-\uDBFF]$/, '').trim()
