import { DuckDBInstance } from '@duckdb/node-api'
import { fillSampleShop } from '../../src/sample/shop.ts'
import { gallery, type GalleryChart } from './gallery.ts'

/** The sample shop as of a fixed day, so that the charts are the same on every run. */
const lastDay = '2026-01-01'

/** The charts of the gallery with their rows. */
export async function readGallery(): Promise<(GalleryChart & { rows: unknown[][] })[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await fillSampleShop(connection, { firstStartOn: lastDay, lastDay })
    const charts = []
    for (const chart of gallery) charts.push({ ...chart, rows: await rowsOf(chart) })
    return charts
  } finally {
    connection.closeSync()
    instance.closeSync()
  }

  async function rowsOf({ sql, fields }: GalleryChart): Promise<unknown[][]> {
    const reader = await connection.runAndReadAll(sql)
    return reader.getRowObjectsJson().map((row) => fields.map(({ name }) => row[name]))
  }
}
