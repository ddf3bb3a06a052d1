import { type ChartElement, ChartFault, canDrawChosenRows, chooseDrawnRows, parseJsxConfig, type Visualization } from '@querypost/visualization'
import { byteCache } from '../../results/byte-cache.ts'
import { readRows } from '../../results/read-rows.ts'
import type { ResultStore } from '../../results/result-store.ts'

/**
 * Short results for tiles of boards: the rows that a chart draws of a long result, or all rows of a result that is short anyway. They are
 * JSON like a result itself, `{"fields":[…],"rows":[…],"rowCount":n}`, where `rowCount` counts all rows. A result never changes, so each
 * is made once and cached for the next readers of a board.
 */
export interface ShortResults {
  /** Null if the tile needs all of many rows, or the result is no longer stored. */
  read(runId: string, tile: { visualization: Visualization | null; maxRows: number }): Promise<Buffer | null>
}

/** Choosing rows blocks the event loop, so longer results are sent as a whole. */
const maxRowsRead = 50_000
const maxCharacters = 1024 * 1024
const maxCachedBytes = 32 * 1024 * 1024

/** Remembers that a tile needs the whole result. As large as an entry of the cache is with its key, so that these are bounded too. */
const needsWhole = Buffer.alloc(1024)

export function makeShortResults({ results }: { results: Pick<ResultStore, 'open'> }): ShortResults {
  const cache = byteCache({ maxBytes: maxCachedBytes })

  async function shorten(runId: string, { visualization, maxRows }: Parameters<ShortResults['read']>[1]): Promise<Buffer | null> {
    const stored = await results.open(runId)
    if (!stored) return null
    const { fields, batches } = await readRows(stored)
    const element = visualization && parseChart(visualization.jsxConfig)
    const readAtMost = element && canDrawChosenRows(element) ? maxRowsRead : maxRows
    const rows: unknown[][] = []
    for await (const batch of batches) {
      for (const row of batch) rows.push(row)
      if (rows.length > readAtMost) return null
    }
    const isShort = rows.length <= maxRows
    const chosen = isShort || !element ? null : chooseDrawnRows({ fields, rows, element, columns: visualization.columns, maxRows, locale: 'en' })
    if (!isShort && !chosen) return null
    const json = JSON.stringify({ fields, rows: chosen ? chosen.map((row) => rows[row]) : rows, rowCount: rows.length })
    return json.length > maxCharacters ? null : Buffer.from(json)
  }

  return {
    async read(runId, { visualization, maxRows }) {
      const key = JSON.stringify([runId, maxRows, visualization?.jsxConfig, visualization?.columns])
      const found = cache.get(key) ?? (await shorten(runId, { visualization, maxRows })) ?? needsWhole
      cache.set(key, found)
      return found === needsWhole ? null : found
    },
  }
}

/** Null if the chart cannot be drawn. The page says why. */
function parseChart(jsxConfig: string): ChartElement | null {
  try {
    return parseJsxConfig(jsxConfig)
  } catch (error) {
    if (error instanceof ChartFault) return null
    throw error
  }
}
