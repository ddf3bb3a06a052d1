/**
 * Finds the line that makes a CSV file unreadable. DuckDB's errors count rows instead of lines, so a quoted line break
 * shifts every number after it. This reader goes through a rejected file once more and counts lines as an editor does.
 */
import { isUtf8 } from 'node:buffer'
import { faultInLine, type ImportFault } from './import-fault.ts'

export interface CsvPattern {
  /** Undefined for a file with a single column. In such a file, quotes have no meaning either. */
  delimiter: string | undefined
  columnCount: number
}

const [lineFeed, carriageReturn, quote] = [0x0a, 0x0d, 0x22]

/** A longer row means that a quote was never closed. */
const rowMaxBytes = 32 * 1024 * 1024

/** `chunks` are UTF-8. Undefined if every row matches the pattern. */
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
  /** The lines where the current row and the open quote began. */
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
      wrong: 'a quote opened there is never closed',
      text: Buffer.concat(kept).toString().split(/\r?\n/)[quoteLine - rowLine] ?? '',
      remedy: remedies.quotes,
    })

  return {
    push(chunk: Buffer): ImportFault | undefined {
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!
        if (byte === lineFeed && afterReturn) {
          // The second half of a CRLF line end that was already counted.
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
          // A quote at the start of a cell opens it. One right after a closing quote is an escaped quote, and the cell continues.
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
  encoding: 'Choose its encoding, or save the file as UTF-8 and upload it again.',
  quotes: 'Close the quote, or double a quote within a value: "".',
  tooMany: 'Remove the extra values, or quote the value that contains the delimiter.',
  tooFew: 'Add the missing values. Leave an unknown value empty between two delimiters.',
}
