import { ChartFault, describeChart, parseJsxConfig, prepareRows, readKpi, readNumber, type Visualization } from '@querypost/visualization'
import { documentRows, type ReportSection } from '../../model/report.ts'
import type { Run } from '../../model/run.ts'
import { RowTooLarge } from '../../results/row-splitter.ts'
import { firstRowsOf } from '../agents/query-runs.ts'
import type { ImageRows } from '../charts/draw-image.ts'
import { renderPng } from '../charts/png.ts'
import { readImageRows } from '../charts/read-image-rows.ts'
import { Refusal } from '../refusal.ts'
import { cachedResultOf, type ResultsDeps } from '../results/results.ts'

export type SectionDeps = Omit<ResultsDeps, 'findQuery'>

/** Something with a result: a tile of a board, or a query of a summary. */
export interface ShownResult {
  title: string
  link: string
  visualization: Visualization | null
  palette: readonly string[] | null
  run: Run
}

/** A section of a document, with its image if it has one. */
export interface RenderedSection {
  section: ReportSection
  image?: { id: string; bytes: Uint8Array }
}

const locale = 'en'

/** The result as its own page shows it: a number, a chart or the first rows. A chart that cannot be drawn becomes a table. */
export async function renderSection(deps: SectionDeps, shown: ShownResult, { imageId }: { imageId: string }): Promise<RenderedSection> {
  const { title, link, run, visualization } = shown
  if (run.status === 'failed') return { section: { kind: 'failure', title, link, reason: run.failureReason ?? 'The query failed.' } }
  try {
    const isDrawn = visualization !== null && visualization.type !== 'table'
    const rendered = isDrawn ? await renderVisualization(deps, shown, visualization, imageId) : undefined
    return rendered ?? (await renderTable(deps, shown))
  } catch (error) {
    // The chart's own page says what is wrong with it.
    if (error instanceof ChartFault) return renderTable(deps, shown)
    const reason =
      error instanceof RowTooLarge ? 'A row of the result is too large to show.' : error instanceof Refusal ? error.message : undefined
    if (reason === undefined) throw error
    return { section: { kind: 'failure', title, link, reason } }
  }
}

async function renderTable(deps: SectionDeps, { title, link, run }: ShownResult): Promise<RenderedSection> {
  const { fields, rows } = await firstRowsOf(deps, run, { maxRows: documentRows })
  return { section: { kind: 'table', title, link, fields, rows, rowCount: run.rowCount ?? rows.length } }
}

async function renderVisualization(
  deps: SectionDeps,
  { title, link, run, palette }: ShownResult,
  visualization: Visualization,
  imageId: string,
): Promise<RenderedSection | undefined> {
  const result = await readImageRows(cachedResultOf(deps, run), visualization)
  if (visualization.type === 'number') return renderNumber({ title, link }, visualization, result)
  const alt = visualization.type === 'pivot' ? title : describe(visualization, result)
  if (alt === undefined) return undefined
  // Every channel shows the title above the image.
  const { drawUntitled } = await import('../charts/draw-image.ts')
  const bytes = await renderPng(drawUntitled({ visualization, result, palette }))
  return { section: { kind: 'chart', title, link, imageId, alt }, image: { id: imageId, bytes } }
}

function renderNumber(
  place: { title: string; link: string },
  { jsxConfig, columns }: Visualization,
  { fields, rows }: ImageRows,
): RenderedSection | undefined {
  const chart = jsxConfig.trim() === '' ? null : parseJsxConfig(jsxConfig)
  const kpi = readKpi({ fields, rows, shown: readNumber(chart), locale, ...(columns && { columns }) })
  if (rows.length === 0 || kpi.problems.length > 0) return undefined
  const { comparison } = kpi
  const change = comparison && `${comparison.percent ?? comparison.difference} from ${comparison.previous} (${comparison.period})`
  return { section: { kind: 'number', ...place, text: kpi.text, ...(change && { change }) } }
}

/** The chart in words; undefined if it cannot be drawn. */
function describe({ jsxConfig, columns }: Visualization, { fields, rows }: ImageRows): string | undefined {
  if (jsxConfig.trim() === '') return undefined
  const prepared = prepareRows({ fields, rows, element: parseJsxConfig(jsxConfig), columns, maxRows: rows.length, locale })
  return prepared.problems.length > 0 ? undefined : describeChart(prepared, { rows, locale })
}
