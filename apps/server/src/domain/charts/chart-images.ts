import { createHash } from 'node:crypto'
import type { Visualization } from '@querypost/visualization'
import { makeSemaphore } from '../../ports/semaphore.ts'
import { byteCache } from '../../results/byte-cache.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { RowTooLarge } from '../../results/row-splitter.ts'
import type { Caller } from '../../model/caller.ts'
import { getReference, noSuchReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { type CachedResult, getCachedResult, type ResultsDeps } from '../results/results.ts'
import type { ImageInput, ImageRows } from './draw-image.ts'
import { renderPng } from './png.ts'
import { readImageRows } from './read-image-rows.ts'

/**
 * Preview images of references for link previews. An image is identified by its *tag*, which covers everything the image is made
 * of, including the run's id, so the same tag always means the same image. Images are cached by tag and drawn once, however many
 * requests arrive at the same time, and only a few at a time: drawing uses the threads that file access and compression need too.
 */
export interface ChartImage {
  tag: string
  png(): Promise<Buffer>
}

export type ChartImages = (caller: Caller | undefined, shortId: string) => Promise<ChartImage>

/** Increase this when the drawing of images changes. */
const drawingVersion = 2
const maxKeptBytes = 16 * 1024 * 1024
const maxAtOnce = 2

export function makeChartImages(deps: Pick<ReferencesDeps, 'db' | 'findReference'> & ResultsDeps): ChartImages {
  const kept = byteCache({ maxBytes: maxKeptBytes })
  const inProgress = new Map<string, Promise<Buffer>>()
  const semaphore = makeSemaphore({ permits: maxAtOnce })

  async function draw(tag: string, input: () => Promise<ImageInput>): Promise<Buffer> {
    // The chart library is loaded with the first image: it would add a tenth to the memory of every process.
    const { drawImage } = await import('./draw-image.ts')
    const bytes = await semaphore.run(async () => renderPng(drawImage(await input())))
    kept.set(tag, bytes)
    return bytes
  }

  return async (caller, shortId) => {
    // An anonymous visitor gets the same answer as for an unknown permalink.
    if (!caller) throw noSuchReference(shortId)
    const { title, visualization, currentQuery, isOptimistic } = await getReference(deps, caller, shortId)
    const result = isOptimistic ? 'No result yet' : await resultOrWhyNot(deps, caller, currentQuery.id)
    const palette = (await findOrganization(deps.db, caller.organizationId))?.chartPalette ?? null
    const resultName = typeof result === 'string' ? result : result.run.id
    const tag = createHash('sha256')
      .update(JSON.stringify([drawingVersion, caller.organizationId, shortId, title, visualization, palette, resultName]))
      .digest('base64url')
    return {
      tag,
      async png() {
        const known = kept.get(tag) ?? inProgress.get(tag)
        if (known) return known
        const drawing = draw(tag, async () => ({
          title,
          visualization,
          palette,
          result: typeof result === 'string' ? result : await rowsOrWhyNot(result, visualization),
        })).finally(() => inProgress.delete(tag))
        inProgress.set(tag, drawing)
        return drawing
      },
    }
  }
}

async function resultOrWhyNot(deps: ResultsDeps, caller: Caller, queryId: string): Promise<CachedResult | string> {
  try {
    return await getCachedResult(deps, caller, queryId)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'result_expired' ? 'The result has expired. Refresh the query.' : 'No result yet'
  }
}

async function rowsOrWhyNot(result: CachedResult, visualization: Visualization | null): Promise<ImageRows | string> {
  try {
    return await readImageRows(result, visualization)
  } catch (error) {
    if (error instanceof RowTooLarge) return 'A row of the result is too large to draw.'
    throw error
  }
}
