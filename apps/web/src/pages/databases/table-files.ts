import type { FileFormat } from '../../api/databases.ts'

export const acceptedEndings = '.csv,.tsv,.txt,.jsonl,.ndjson,.json,.parquet,.pq,.gz'

const formats: Record<string, FileFormat> = { parquet: 'parquet', pq: 'parquet', jsonl: 'jsonl', ndjson: 'jsonl', json: 'json' }

/** What cannot be told by its ending is taken for CSV, and refused by the service where it is none. */
export const formatOf = (fileName: string): FileFormat => formats[endingOf(unpackedName(fileName))] ?? 'csv'

const endingOf = (fileName: string) => /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''

/** `orders.csv.gz` is unpacked on its way into the database. */
const unpackedName = (fileName: string) => fileName.replace(/\.gz$/i, '')

/** Files that people try and that cannot be read: they learn of it before anything is sent. */
export function faultOfFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const ending = endingOf(name)
  if (size === 0) return 'The file is empty.'
  if (['xlsx', 'xls', 'ods'].includes(ending)) return 'A workbook cannot be read. Save the sheet as CSV, and send that.'
  if (['zip', 'zst', '7z', 'tgz', 'tar'].includes(ending)) return 'An archive cannot be read. Unpack it, or pack the file with gzip.'
  if (['duckdb', 'db'].includes(ending)) return 'A DuckDB file is a database of its own. Add it among the databases.'
  if (['sql', 'pdf', 'xml'].includes(ending)) return 'Only CSV, JSON and Parquet files can be read.'
  if (ending !== 'gz') return undefined
  if (endingOf(unpackedName(name)) === 'tar') return 'An archive cannot be read. Unpack it, or pack the file with gzip.'
  return formatOf(name) === 'parquet' ? 'A Parquet file is compressed within. Unpack it first.' : undefined
}

/** A table name like the file's that needs no quotes. */
export function suggestTableName(fileName: string): string {
  const name = unpackedName(fileName)
    .replace(/\.\w{1,8}$/, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  if (name === '') return 'table_1'
  return /^\p{N}/u.test(name) ? `t_${name}` : name
}

export function faultOfName(name: string): string | undefined {
  return /^[\p{L}_][\p{L}\p{N}_]{0,62}$/u.test(name)
    ? undefined
    : 'Letters, digits and underscores, at most 63, and no digit at the beginning'
}
