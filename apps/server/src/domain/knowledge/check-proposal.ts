import type { Caller } from '../../model/caller.ts'
import type { InstructionsContent, KnowledgeProposal, MetricContent, TableDescriptionContent } from '../../model/knowledge.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { Refusal } from '../refusal.ts'
import { checkInstructions } from './instructions.ts'
import { checkMetric, getMetric, type MetricsDeps, refuseTakenName } from './metric-definitions.ts'
import { checkTableDescription, getCatalogTable, refuseStrayColumns } from './table-descriptions.ts'

/** A change as an admin would save it. */
export type GivenProposal = InstructionsContent | TableDescriptionContent | (MetricContent & { id: string | null })

/** Checks a change as if it were saved, without saving it. Returns it as it would be stored. */
export async function checkProposal(deps: MetricsDeps, caller: Caller, given: GivenProposal): Promise<KnowledgeProposal> {
  requireAdmin(caller)
  return atProposal(async () => {
    switch (given.kind) {
      case 'instructions': {
        if (given.databaseId !== null) await getDatabaseConfig(deps, caller, given.databaseId)
        return { content: checkInstructions(given), metricId: null }
      }
      case 'metric': {
        const { id, ...metric } = given
        if (id !== null) await getMetric(deps.db, caller, id)
        const content = await checkMetric(deps, caller, metric)
        await refuseTakenName(deps.db, caller, { itemId: id, name: content.name })
        return { content, metricId: id }
      }
      case 'table': {
        await getDatabaseConfig(deps, caller, given.databaseId)
        const content = checkTableDescription(given)
        refuseStrayColumns(content, await getCatalogTable(deps.db, caller, content))
        return { content, metricId: null }
      }
    }
  })
}

/** Faults are in the request's `proposal`. */
async function atProposal<Checked>(check: () => Promise<Checked>): Promise<Checked> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details) throw error
    const details = error.details.map(({ path, message }) => ({ path: `/proposal${path}`, message }))
    throw new Refusal(error.code, error.message, details)
  }
}
