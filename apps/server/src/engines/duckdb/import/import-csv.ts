import { withEllipsis } from '../../../ports/cut-text.ts'

/**
 * How a CSV file is read. DuckDB finds out types, line ends and whether there is a header, but not everything is left
 * to it: where lines differ in length it would rather take each for one text, or skip the first ones, than refuse the
 * file. So the delimiter is that of the first line, and no line is skipped or taken for a comment.
 */

const delimiters = [',', ';', '\t', '|']

export interface FirstLine {
  /** Undefined where the line holds none: a file of one column. */
  delimiter: string | undefined
  columnCount: number
}

/** Reads the first line of the beginning of a file; what stands in quotes does not count. */
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

/** How the file must be read so that DuckDB finds out the rest. */
export function csvOptions({ delimiter }: FirstLine, encoding: 'utf-8' | 'utf-16'): string[] {
  const dialect = delimiter === undefined ? [] : [`delim = ${text(delimiter)}`, `quote = '"'`, `escape = '"'`]
  return [...dialect, `skip = 0`, `comment = ''`, `encoding = '${encoding}'`, `compression = 'none'`]
}

/** Excel writes UTF-16 as "Unicode text"; it says so in its first two bytes. */
export function encodingOf(beginning: Uint8Array): 'utf-8' | 'utf-16' {
  const mark = (beginning[0]! << 8) | beginning[1]!
  return mark === 0xfffe || mark === 0xfeff ? 'utf-16' : 'utf-8'
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

/** DuckDB's reason. Its advice is about options that nobody here can set. */
export function csvWords(message: string): string {
  if (message.includes('Error when sniffing file')) {
    return 'The file cannot be read as CSV: its lines do not follow one pattern of columns and quotes.'
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
