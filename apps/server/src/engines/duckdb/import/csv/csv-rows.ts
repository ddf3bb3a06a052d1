export interface CsvRow {
  /** The line of the file on which the row begins, counted as an editor does. */
  line: number
  /** The number of the row, counting blank ones. */
  number: number
  values: string[]
}

/** Splits text into rows. Text can be pushed in pieces of any length; blank lines are not rows. */
export function makeCsvRows(delimiter: string) {
  let line = 1
  let row: CsvRow = { line, number: 1, values: [] }
  let value = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let isAfterReturn = false

  function endValue() {
    row.values.push(value)
    value = ''
    state = 'start'
  }

  function endRow(): CsvRow[] {
    const isBlank = row.values.length === 0 && value === '' && state === 'start'
    endValue()
    const ended = row
    row = { line, number: ended.number + 1, values: [] }
    return isBlank ? [] : [ended]
  }

  function read(character: string): CsvRow[] {
    const isSecondHalf = character === '\n' && isAfterReturn
    isAfterReturn = character === '\r'
    const isLineEnd = character === '\n' || character === '\r'
    if (isLineEnd && !isSecondHalf) line++
    if (state === 'quoted') {
      if (character === '"') state = 'closed'
      else value += character
    } else if (isSecondHalf) return []
    else if (isLineEnd) return endRow()
    else if (character === delimiter) endValue()
    else if (character === '"' && state !== 'plain') {
      // A quote right after a closing quote is an escaped one.
      if (state === 'closed') value += '"'
      state = 'quoted'
    } else {
      value += character
      if (state === 'start') state = 'plain'
    }
    return []
  }

  return {
    push(text: string): CsvRow[] {
      const rows: CsvRow[] = []
      for (const character of text) for (const ended of read(character)) rows.push(ended)
      return rows
    },
    end: (): CsvRow[] => endRow(),
  }
}
