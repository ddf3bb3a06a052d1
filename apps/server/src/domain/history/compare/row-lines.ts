import { type RowsToCompare, separator } from '../../../engines/duckdb/compare/row-comparer.ts'
import type { Field } from '../../../model/result.ts'
import { eachValue } from '../../../results/downloads/download-values.ts'
import { type RawRows, readRawRows } from '../../../results/read-rows.ts'
import type { StoredResult } from '../../../results/result-store.ts'

/** A little more than the largest row any engine returns. */
export const rowMaxBytes = 40 * 1024 * 1024

/** Opens two results and closes both at the end, also if the second one cannot be opened. */
export async function withRowsOfBoth<Result>(
  open: { from(): Promise<StoredResult>; to(): Promise<StoredResult> },
  use: (rows: { from: RawRows; to: RawRows }) => Promise<Result>,
): Promise<Result> {
  const from = await readRawRows(await open.from(), { rowMaxBytes })
  try {
    const to = await readRawRows(await open.to(), { rowMaxBytes })
    try {
      return await use({ from, to })
    } finally {
      await to.batches.return(undefined)
    }
  } finally {
    await from.batches.return(undefined)
  }
}

/** Rows in the form that the comparer reads. */
export function linesOf({ fields, batches }: RawRows): RowsToCompare {
  async function* lines(): AsyncGenerator<string> {
    let position = 0
    for await (const rows of batches) {
      let out = `${position}`
      eachValue(rows, {
        value(json, column) {
          out += separator + plainJson(json, fields[column]!)
        },
        rowEnd() {
          position++
          out += `\n${position}`
        },
      })
      // The position of the next row belongs to the next piece.
      yield out.slice(0, out.lastIndexOf('\n') + 1)
    }
  }
  return { columnCount: fields.length, lines }
}

/** A value on one line. JSON documents lose line breaks between their tokens, which mean nothing. */
export const plainJson = (json: string, { type }: Field) => (type === 'json' ? json.trim().replaceAll(/[\r\n]+/g, ' ') : json)
