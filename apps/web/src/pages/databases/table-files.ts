import { definitions } from '@querypost/server/engine-definitions'
import type { FileFormat } from '../../api/databases.ts'

export const acceptedExtensions = '.csv,.tsv,.txt,.jsonl,.ndjson,.json,.parquet,.pq,.gz'

const formats: Record<string, FileFormat> = { parquet: 'parquet', pq: 'parquet', jsonl: 'jsonl', ndjson: 'jsonl', json: 'json' }

/** An unknown extension is treated as CSV. The service rejects the file if it isn't. */
export const formatOf = (fileName: string): FileFormat => formats[extensionOf(unpackedName(fileName))] ?? 'csv'

const extensionOf = (fileName: string) => /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''

/** The service unpacks a file such as `orders.csv.gz`. */
const unpackedName = (fileName: string) => fileName.replace(/\.gz$/i, '')

const archiveFault = 'Archives aren’t supported. Unpack it, or compress the file with gzip.'

/** Rejects common unsupported files before they are uploaded. */
export function faultOfFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const extension = extensionOf(name)
  if (size === 0) return 'The file is empty.'
  if (['xlsx', 'xls', 'ods'].includes(extension)) return 'Spreadsheets aren’t supported. Save the sheet as CSV and upload that.'
  if (['zip', 'zst', '7z', 'tgz', 'tar'].includes(extension)) return archiveFault
  const database = definitions.find(({ place }) => place.on === 'file' && place.uploads.some((each) => each === `.${extension}`))
  if (database) return `A ${database.name} file is a whole database. Add it on the Databases page.`
  if (['sql', 'pdf', 'xml'].includes(extension)) return 'Only CSV, JSON and Parquet files are supported.'
  if (extension !== 'gz') return undefined
  if (extensionOf(unpackedName(name)) === 'tar') return archiveFault
  return formatOf(name) === 'parquet' ? 'Parquet files are already compressed. Unpack it first.' : undefined
}

/** A table name based on the file name that needs no quotes in SQL. */
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
    : 'Use letters, digits and underscores, at most 63, not starting with a digit.'
}
