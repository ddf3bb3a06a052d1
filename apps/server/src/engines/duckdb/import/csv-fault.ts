/**
 * Finds the line that keeps a CSV file from being read. DuckDB only reads: where it fails it counts rows, not lines, so
 * that a quoted line break moves every number after it. This reader goes through a file that was refused once more and
 * counts lines as an editor does.
 */
import { isUtf8 } from 'node:buffer'
import { faultInLine, type ImportFault } from './import-fault.ts'

export interface CsvPattern {
  /** Undefined for a file of one column, in which nothing is quoted either. */
  delimiter: string | undefined
  columnCount: number
}

const [lineFeed, carriageReturn, quote] = [0x0a, 0x0d, 0x22]

/** A row longer than this is one because a quote was never closed. */
const rowMaxBytes = 32 * 1024 * 1024

/** `chunks` are UTF-8. Nothing when every row follows the pattern. */
export async function findCsvFault(
  chunks: AsyncIterable<Buffer>,
  pattern: CsvPattern,
): Promise<ImportFault | undefined> {
  const reader = makeRowReader(pattern)
  for await (const chunk of chunks) {
    const fault = reader.push(chunk)
    if (fault) return fault
  }
  return reader.end()
}

function makeRowReader({ delimiter, columnCount }: CsvPattern) {
  const separator = delimiter?.charCodeAt(0)
  let line = 1
  /** Where the row began, and the quote that is open. */
  let rowLine = 1
  let quoteLine = 1
  let isQuoted = false
  let isAfterQuote = false
  let hasStrayQuote = false
  let isCellBegun = false
  let values = 1
  let afterReturn = false
  let kept: Buffer[] = []
  let keptBytes = 0

  function startRow() {
    rowLine = line
    isQuoted = isAfterQuote = hasStrayQuote = isCellBegun = false
    values = 1
    kept = []
    keptBytes = 0
  }

  function faultOfRow(rest: Buffer): ImportFault | undefined {
    const bytes = Buffer.concat([...kept, rest])
    const text = bytes.toString().replace(/^\uFEFF/, '')
    const at = { line: rowLine, text }
    if (!isUtf8(bytes)) return faultInLine({ ...at, wrong: 'it is not encoded in UTF-8', remedy: remedies.encoding })
    if (text.trim() === '') return undefined
    if (hasStrayQuote) return faultInLine({ ...at, wrong: 'text follows a closing quote', remedy: remedies.quotes })
    if (values === columnCount) return undefined
    const found = `it has ${countOf(values, 'value')} where the first line has ${columnCount}`
    return faultInLine({ ...at, wrong: found, remedy: values > columnCount ? remedies.tooMany : remedies.tooFew })
  }

  const unclosed = () =>
    faultInLine({
      line: quoteLine,
      wrong: 'a quote that is opened there is never closed',
      text: Buffer.concat(kept).toString().split(/\r?\n/)[quoteLine - rowLine] ?? '',
      remedy: remedies.quotes,
    })

  return {
    push(chunk: Buffer): ImportFault | undefined {
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!
        if (byte === lineFeed && afterReturn) {
          // The second half of a line's end, which has been counted.
          afterReturn = false
          if (!isQuoted && at === from) from = at + 1
          continue
        }
        afterReturn = byte === carriageReturn
        const isLineEnd = byte === lineFeed || byte === carriageReturn
        if (isLineEnd) line++
        if (isQuoted) {
          if (byte !== quote) continue
          isQuoted = false
          isAfterQuote = true
        } else if (isLineEnd) {
          const fault = faultOfRow(chunk.subarray(from, at))
          if (fault) return fault
          from = at + 1
          startRow()
        } else if (byte === separator) {
          values++
          isCellBegun = isAfterQuote = false
        } else if (byte === quote && separator !== undefined && (!isCellBegun || isAfterQuote)) {
          // At the beginning of a cell it opens; right after a closing one it stands for a quote, and the cell goes on.
          if (!isAfterQuote) quoteLine = line
          isQuoted = isCellBegun = true
          isAfterQuote = false
        } else {
          if (isAfterQuote && byte !== 0x20) {
            hasStrayQuote = true
            isAfterQuote = false
          }
          isCellBegun = true
        }
      }
      kept.push(Buffer.from(chunk.subarray(from)))
      keptBytes += chunk.length - from
      return keptBytes > rowMaxBytes ? unclosed() : undefined
    },
    end: () => (isQuoted ? unclosed() : faultOfRow(Buffer.alloc(0))),
  }
}

const countOf = (count: number, noun: string) => (count === 1 ? `1 ${noun}` : `${count} ${noun}s`)

const remedies = {
  encoding: 'Save the file as UTF-8 and send it again.',
  quotes: 'Close the quote, or write a quote within a value twice: "".',
  tooMany: 'Take out what is too much, or put a value that contains the delimiter into quotes.',
  tooFew: 'Add what is missing; a value that is not known is left empty between two delimiters.',
}
