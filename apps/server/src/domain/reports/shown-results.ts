import type { Visualization } from '@querypost/visualization'
import type { Caller } from '../../model/caller.ts'
import type { Message } from '../../model/chat.ts'
import type { Run } from '../../model/run.ts'
import { readTileQueries } from '../../store/boards/read-tile-queries.ts'
import type { Db } from '../../store/db.ts'
import { findOrganization } from '../../store/people/organizations-table.ts'
import { readEndedRuns } from '../../store/runs/find-usable-run.ts'
import type { SectionDeps, ShownResult } from './render-section.ts'

interface ShownStep {
  title: string
  runId: string
  visualization: Visualization | null
  /** The reference whose visualization is used if the step has none. */
  shortId: string | null
}

/** The results of the queries in these messages that are still stored, with how their references or the agent drew them. */
export async function shownResults(
  deps: SectionDeps & { db: Db; baseUrl: string },
  { organizationId }: Pick<Caller, 'organizationId'>,
  messages: readonly Message[],
): Promise<ShownResult[]> {
  const steps = messages.flatMap(({ content }): ShownStep[] => {
    if (content.kind === 'chart') return [{ title: content.title, runId: content.runId, visualization: content.visualization, shortId: null }]
    if (content.kind !== 'query_run' || content.runId === null || !content.reference || content.status !== 'completed') return []
    return [{ title: content.reference.title, runId: content.runId, visualization: null, shortId: content.reference.shortId }]
  })
  if (steps.length === 0) return []
  const runs = new Map((await readEndedRuns(deps.db, steps.map(({ runId }) => runId))).map((run) => [run.id, run]))
  const queries = await readTileQueries(deps.db, { organizationId, shortIds: steps.flatMap(({ shortId }) => shortId ?? []) })
  const palette = (await findOrganization(deps.db, organizationId))?.chartPalette ?? null
  const isStored = ({ status, completedAt }: Run) =>
    status === 'completed' && completedAt!.getTime() + deps.resultLifetimeMs > deps.clock.now().getTime()
  return steps.flatMap(({ title, runId, visualization, shortId }): ShownResult[] => {
    const run = runs.get(runId)
    if (!run || !isStored(run)) return []
    const shown = visualization ?? (shortId === null ? null : (queries.get(shortId)?.visualization ?? null))
    return [{ title, link: `${deps.baseUrl}/runs/${runId}`, visualization: shown, palette, run }]
  })
}
