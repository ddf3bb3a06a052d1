import type { FileFormat } from '../../api/databases.ts'

export const acceptedEndings = '.csv,.tsv,.txt,.parquet,.pq'

export const formatOf = (fileName: string): FileFormat => (/\.(parquet|pq)$/i.test(fileName) ? 'parquet' : 'csv')

/** Files that people try and that are neither: they learn of it before anything is sent. */
export function faultOfFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (size === 0) return 'The file is empty.'
  if (['xlsx', 'xls', 'ods'].includes(ending)) return 'A workbook cannot be read. Save the sheet as CSV, and send that.'
  if (['zip', 'gz', 'zst', '7z'].includes(ending)) return 'A packed file cannot be read. Unpack it first.'
  if (['duckdb', 'db'].includes(ending)) return 'A DuckDB file is a database of its own. Add it among the databases.'
  if (['json', 'ndjson', 'sql', 'pdf'].includes(ending)) return 'Only CSV and Parquet files can be read.'
  return undefined
}

/** A table name like the file's that needs no quotes. */
export function suggestTableName(fileName: string): string {
  const name = fileName
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

const units = ['bytes', 'kB', 'MB', 'GB']

/** As file managers show it. */
export function fileSize(sizeBytes: number): string {
  const unit = Math.min(units.length - 1, sizeBytes < 1000 ? 0 : Math.floor(Math.log10(sizeBytes) / 3))
  const value = sizeBytes / 1000 ** unit
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
