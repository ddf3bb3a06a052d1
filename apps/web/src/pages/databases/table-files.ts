import { definitions } from '@querypost/server/engine-definitions'
import type { FileFormat } from '../../api/databases.ts'

export const acceptedExtensions = '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.json,.parquet,.pq,.gz'

const formats: Record<string, FileFormat> = { parquet: 'parquet', pq: 'parquet', xlsx: 'xlsx', jsonl: 'jsonl', ndjson: 'jsonl', json: 'json' }

/** An unknown extension is treated as CSV. The service rejects the file if it isn't. */
export const formatOf = (fileName: string): FileFormat => formats[extensionOf(unpackedName(fileName))] ?? 'csv'

/** Other formats have types of their own. */
export const hasPreview = ({ name }: Pick<File, 'name'>) => ['csv', 'xlsx'].includes(formatOf(name))

const extensionOf = (fileName: string) => /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? ''

/** The service unpacks a file such as `orders.csv.gz`. */
const unpackedName = (fileName: string) => fileName.replace(/\.gz$/i, '')

const archiveFault = 'Archives aren’t supported. Unpack it, or compress the file with gzip.'

/** Rejects common unsupported files before they are uploaded. */
export function faultOfFile({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const extension = extensionOf(name)
  if (size === 0) return 'The file is empty.'
  if (['xls', 'xlsm', 'xlsb', 'ods'].includes(extension)) return 'This kind of spreadsheet isn’t supported. Save it as .xlsx and upload that.'
  if (['zip', 'zst', '7z', 'tgz', 'tar'].includes(extension)) return archiveFault
  const database = definitions.find(({ place }) => place.on === 'file' && place.uploads.some((each) => each === `.${extension}`))
  if (database) return `A ${database.name} file is a whole database. Add it on the Databases page.`
  if (['sql', 'pdf', 'xml'].includes(extension)) return 'Only CSV, XLSX, JSON and Parquet files are supported.'
  if (extension !== 'gz') return undefined
  if (extensionOf(unpackedName(name)) === 'tar') return archiveFault
  return ['parquet', 'xlsx'].includes(formatOf(name)) ? 'Files of this kind are already compressed. Unpack it first.' : undefined
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
