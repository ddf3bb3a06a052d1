import path from 'node:path'
import { CommandError, type CommandOptions, type Context } from '../command.ts'

export const fileFormats = ['csv', 'json', 'jsonl', 'xlsx', 'parquet', 'arrow'] as const
export type FileFormat = (typeof fileFormats)[number]

/** The options that `query run` and `query result` share. */
export const resultOptions = {
  format: { type: 'string', short: 'f', value: 'format', description: 'table, csv, json, jsonl, xlsx, parquet or arrow (default: table)' },
  output: { type: 'string', short: 'o', value: 'file', description: 'write to this file, in the format of its extension' },
  limit: { type: 'string', value: 'rows', default: '50', description: 'rows of a table to show; 0 for all (default: 50)' },
  raw: { type: 'boolean', default: false, description: 'CSV only: don’t escape text that a spreadsheet would execute' },
} as const satisfies CommandOptions

/** How the result is written. */
export interface OutputChoice {
  format: FileFormat | 'table'
  output: string | undefined
  /** 0: all. */
  maxRows: number
  isRaw: boolean
}

const formatsByExtension: Record<string, FileFormat> = {
  '.csv': 'csv',
  '.json': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.xlsx': 'xlsx',
  '.parquet': 'parquet',
  '.arrows': 'arrow',
  '.arrow': 'arrow',
}

/** Reads the options. Mistakes are reported before anything runs. */
export function readOutputChoice(
  { isJson, stdout }: Pick<Context, 'isJson' | 'stdout'>,
  options: { format: string | undefined; output: string | undefined; limit: string; raw: boolean },
): OutputChoice {
  const { output, raw: isRaw } = options
  const format = chooseFormat({ isJson, ...options })
  if (!/^\d{1,7}$/.test(options.limit))
    throw new CommandError(2, `--limit ${options.limit} is not a number of rows. Example: --limit 100`)
  if (isRaw && format !== 'csv')
    throw new CommandError(2, '--raw needs --format csv. The other formats never change the data.')
  if (format === 'table' && output !== undefined)
    throw new CommandError(2, 'A table can’t be written to a file. Choose a file format, for example --format csv.')
  if ((format === 'xlsx' || format === 'parquet' || format === 'arrow') && output === undefined && stdout.isTTY) {
    throw new CommandError(
      2,
      `${format} is binary. Write it to a file: --output result.${format === 'arrow' ? 'arrows' : format}`,
    )
  }
  return { format, output, maxRows: Number(options.limit), isRaw }
}

function chooseFormat({
  isJson,
  format,
  output,
}: {
  isJson: boolean
  format: string | undefined
  output: string | undefined
}): OutputChoice['format'] {
  if (isJson && format !== undefined && format !== 'json')
    throw new CommandError(2, `--json and --format ${format} can’t be combined.`)
  if (isJson) return 'json'
  if (format === 'table') return format
  if (format !== undefined) {
    const known = fileFormats.find((one) => one === format)
    if (known) return known
    throw new CommandError(2, `There is no format ${format}. Use table, ${fileFormats.join(', ')}.`)
  }
  if (output === undefined) return 'table'
  const found = formatsByExtension[path.extname(output).toLowerCase()]
  if (found) return found
  throw new CommandError(2, `The extension of ${output} is not a known format. Choose one: --format ${fileFormats.join('|')}`)
}
