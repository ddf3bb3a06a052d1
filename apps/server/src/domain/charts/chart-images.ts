import { createHash } from 'node:crypto'
import type { Visualization } from '@querypost/visualization'
import { makeSemaphore } from '../../ports/semaphore.ts'
import { byteCache } from '../../results/byte-cache.ts'
import { RowTooLarge } from '../../results/row-splitter.ts'
import type { Caller } from '../../model/caller.ts'
import { getReference, noSuchReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal } from '../refusal.ts'
import { type CachedResult, getCachedResult, type ResultsDeps } from '../results/results.ts'
import { drawImage, type ImageInput, type ImageRows } from './draw-image.ts'
import { renderPng } from './png.ts'
import { readImageRows } from './read-image-rows.ts'

/**
 * The pictures of references for link previews. A picture is told by its *tag*: it holds everything the picture is made
 * of, the run's id among them, so that the same tag always means the same picture. Pictures are kept under their tags,
 * drawn once however many ask at the same time, and only a few at a time: drawing takes the threads that files and
 * compression need too.
 */
export interface ChartImage {
  tag: string
  png(): Promise<Buffer>
}

export type ChartImages = (caller: Caller | undefined, shortId: string) => Promise<ChartImage>

/** To be raised when pictures of the same things are drawn differently. */
const drawingVersion = 1
const maxKeptBytes = 16 * 1024 * 1024
const maxAtOnce = 2

export function makeChartImages(deps: Pick<ReferencesDeps, 'findReference'> & ResultsDeps): ChartImages {
  const kept = byteCache({ maxBytes: maxKeptBytes })
  const underWay = new Map<string, Promise<Buffer>>()
  const semaphore = makeSemaphore({ permits: maxAtOnce })

  async function draw(tag: string, input: () => Promise<ImageInput>): Promise<Buffer> {
    const bytes = await semaphore.run(async () => renderPng(drawImage(await input())))
    kept.set(tag, bytes)
    return bytes
  }

  return async (caller, shortId) => {
    // A stranger is told the same as for a permalink that leads nowhere.
    if (!caller) throw noSuchReference(shortId)
    const { title, visualization, currentQuery, isOptimistic } = await getReference(deps, caller, shortId)
    const result = isOptimistic ? 'No result yet' : await resultOrWhyNot(deps, caller, currentQuery.id)
    const told = typeof result === 'string' ? result : result.run.id
    const tag = createHash('sha256')
      .update(JSON.stringify([drawingVersion, caller.organizationId, shortId, title, visualization, told]))
      .digest('base64url')
    return {
      tag,
      async png() {
        const known = kept.get(tag) ?? underWay.get(tag)
        if (known) return known
        const drawing = draw(tag, async () => ({
          title,
          visualization,
          result: typeof result === 'string' ? result : await rowsOrWhyNot(result, visualization),
        })).finally(() => underWay.delete(tag))
        underWay.set(tag, drawing)
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
