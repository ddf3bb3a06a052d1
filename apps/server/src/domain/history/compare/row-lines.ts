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

/** Further properties of a line for a value, such as `,"m0w":"12"`, by the index of its column. */
export type ExtraProperties = ReadonlyMap<number, (json: string) => string>

/** Rows in the form that the comparer reads. JSON values lose line breaks between their tokens, which mean nothing. */
export function linesOf(
  { fields, batches }: RawRows,
  extra: ExtraProperties = new Map(),
): { columnCount: number; lines(): AsyncIterable<string> } {
  async function* lines(): AsyncGenerator<string> {
    let position = 0
    for await (const rows of batches) {
      let out = ''
      let line = `{"p":${position}`
      eachValue(rows, {
        value(json, column) {
          line += `,"${column}":${JSON.stringify(plainJson(json, fields[column]!))}`
          if (extra.size > 0) line += extra.get(column)?.(json) ?? ''
        },
        rowEnd() {
          out += `${line}}\n`
          position++
          line = `{"p":${position}`
        },
      })
      yield out
    }
  }
  return { columnCount: fields.length, lines }
}

/** A value on one line. */
export const plainJson = (json: string, { type }: Field) => (type === 'json' ? json.trim().replaceAll(/[\r\n]+/g, ' ') : json)
