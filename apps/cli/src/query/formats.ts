import path from 'node:path'
import { Complaint, type CommandOptions, type Context } from '../command.ts'

export const fileFormats = ['csv', 'json', 'jsonl', 'parquet', 'arrow'] as const
export type FileFormat = (typeof fileFormats)[number]

/** What `query run` and `query result` take in common. */
export const resultOptions = {
  format: { type: 'string', short: 'f', value: 'format', does: 'table, csv, json, jsonl, parquet or arrow (table)' },
  output: { type: 'string', short: 'o', value: 'file', does: 'write to this file; its ending tells the format' },
  limit: { type: 'string', value: 'rows', default: '50', does: 'of a table: how many rows to show, 0 for all (50)' },
  raw: { type: 'boolean', default: false, does: 'of CSV: also texts that a spreadsheet would execute as they are' },
} as const satisfies CommandOptions

export interface Wanted {
  format: FileFormat | 'table'
  output: string | undefined
  /** 0: all. */
  rowsMax: number
  isRaw: boolean
}

const endings: Record<string, FileFormat> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
  '.arrows': 'arrow',
  '.arrow': 'arrow',
}

/** How the result is to be written. Refused before anything is run. */
export function readWanted(
  { isJson, stdout }: Pick<Context, 'isJson' | 'stdout'>,
  options: { format: string | undefined; output: string | undefined; limit: string; raw: boolean },
): Wanted {
  const { output, raw: isRaw } = options
  const format = formatOf({ isJson, ...options })
  if (!/^\d{1,7}$/.test(options.limit))
    throw new Complaint(2, `--limit ${options.limit} is no number of rows. Example: --limit 100`)
  if (isRaw && format !== 'csv')
    throw new Complaint(2, '--raw goes with --format csv: the other formats are exact as they are.')
  if (format === 'table' && output !== undefined)
    throw new Complaint(2, 'A table is for reading. Say --format csv, or another, for a file.')
  if ((format === 'parquet' || format === 'arrow') && output === undefined && stdout.isTTY) {
    throw new Complaint(
      2,
      `${format} is not for a terminal. Name a file: --output result.${format === 'arrow' ? 'arrows' : format}`,
    )
  }
  return { format, output, rowsMax: Number(options.limit), isRaw }
}

function formatOf({
  isJson,
  format,
  output,
}: {
  isJson: boolean
  format: string | undefined
  output: string | undefined
}): Wanted['format'] {
  if (isJson && format !== undefined && format !== 'json')
    throw new Complaint(2, `--json and --format ${format} do not go together.`)
  if (isJson) return 'json'
  if (format === 'table') return format
  if (format !== undefined) {
    const known = fileFormats.find((one) => one === format)
    if (known) return known
    throw new Complaint(2, `--format ${format} is not known. There are table, ${fileFormats.join(', ')}.`)
  }
  if (output === undefined) return 'table'
  const found = endings[path.extname(output).toLowerCase()]
  if (found) return found
  throw new Complaint(2, `The ending of ${output} tells no format. Say one: --format ${fileFormats.join('|')}`)
}
