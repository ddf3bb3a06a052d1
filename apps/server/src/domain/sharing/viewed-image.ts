import { createHash } from 'node:crypto'
import { RowTooLarge } from '../../results/row-splitter.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import type { Db } from '../../store/db.ts'
import { makeDrawOnce } from '../charts/draw-once.ts'
import { renderPng } from '../charts/png.ts'
import { readImageRows } from '../charts/read-image-rows.ts'
import type { ViewedResult } from './view-results.ts'

/** Increase this when the drawing changes. */
const drawingVersion = 1
const maxKeptBytes = 8 * 1024 * 1024
const maxAtOnce = 1

/** Draws the results of viewed tiles as PNG images. */
export function makeViewedImages({ db }: { db: Db }): (organizationId: string, viewed: ViewedResult) => Promise<Buffer> {
  const drawOnce = makeDrawOnce({ maxBytes: maxKeptBytes, atOnce: maxAtOnce })
  return async (organizationId, { title, item, tile, run, result }) => {
    const own = item.queries.get(tile.referenceShortId!)?.visualization ?? null
    const visualization = tile.shows === 'table' && own ? { ...own, type: 'table' as const, jsxConfig: '' } : own
    const palette = (await findOrganization(db, organizationId))?.chartPalette ?? null
    const tag = createHash('sha256').update(JSON.stringify([drawingVersion, run.id, title, visualization, palette])).digest('base64url')
    return drawOnce(tag, async () => {
      const rows = await readImageRows(result, visualization).catch((error: unknown) => {
        if (error instanceof RowTooLarge) return 'A row of the result is too large to draw.'
        throw error
      })
      const { drawImage } = await import('../charts/draw-image.ts')
      return renderPng(drawImage({ title, visualization, palette, result: rows }))
    })
  }
}
