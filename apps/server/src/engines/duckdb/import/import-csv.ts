import { withEllipsis } from '../../../ports/cut-text.ts'

/**
 * How a CSV file is read. DuckDB detects types, line ends and the header, but not the delimiter: when lines differ in their number
 * of values, it would read each line as one text or skip the first lines rather than reject the file. So the delimiter is taken
 * from the first line, and no line is skipped or treated as a comment.
 */

const delimiters = [',', ';', '\t', '|']

export interface FirstLine {
  /** Undefined if the line contains none: a file with a single column. */
  delimiter: string | undefined
  columnCount: number
}

/** Reads the first line from the beginning of a file. Delimiters inside quotes do not count. */
export function readFirstLine(beginning: string): FirstLine {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const character of beginning.replace(/^\uFEFF/, '')) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\n' || character === '\r') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  const [delimiter, count] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))
  return count === 0 ? { delimiter: undefined, columnCount: 1 } : { delimiter, columnCount: count + 1 }
}

/** The options for DuckDB's reader. It detects the rest. */
export function csvOptions({ delimiter }: FirstLine, encoding: 'utf-8' | 'utf-16'): string[] {
  const dialect = delimiter === undefined ? [] : [`delim = ${text(delimiter)}`, `quote = '"'`, `escape = '"'`]
  return [...dialect, `skip = 0`, `comment = ''`, `encoding = '${encoding}'`, `compression = 'none'`]
}

/** Excel's "Unicode text" is UTF-16, marked by its first two bytes. */
export function encodingOf(beginning: Uint8Array): 'utf-8' | 'utf-16' {
  const mark = (beginning[0]! << 8) | beginning[1]!
  return mark === 0xfffe || mark === 0xfeff ? 'utf-16' : 'utf-8'
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

/** DuckDB's reason, without its advice about options that users cannot set here. */
export function csvMessage(message: string): string {
  if (message.includes('Error when sniffing file')) {
    return 'The file cannot be read as CSV: its lines do not all have the same columns and quoting.'
  }
  return withoutAdvice(message)
    .replace(/^(Invalid Input|Conversion) Error: /, '')
    .split('\n')
    .map((each) => withEllipsis(each, 300).trim())
    .filter((each) => each !== '' && !each.startsWith('This type was auto-detected'))
    .join('\n')
    .replace(/^CSV Error on Line: (\d+)/, 'Row $1 of the file cannot be read.')
}

function withoutAdvice(message: string): string {
  return message.split(/\n+(?:Possible (?:fixes|solutions?)|LINE \d+|\s+file = )/i)[0]!
}
