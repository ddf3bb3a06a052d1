import type { Observation } from '../../model/observation.ts'
import { storableJson } from '../chats/storable-json.ts'
import type { Db, Tx } from '../db.ts'

/** What the automation last observed, by reference id. */
export async function readObservations(db: Db | Tx, automationId: string): Promise<Map<string, Observation>> {
  const rows = await db
    .selectFrom('automation_observations')
    .select(['reference_id', 'content'])
    .where('automation_id', '=', automationId)
    .execute()
  return new Map(rows.map((row) => [row.reference_id, row.content]))
}

/**
 * Stores what a run observed, for the next run to compare with. Part of the transaction that completes the run. An earlier
 * observation of a reference is kept if this run did not observe it (its query failed, or the automation left it out for a
 * while).
 */
export async function replaceObservations(
  tx: Tx,
  options: { automationId: string; agentRunId: string; observations: { referenceId: string; content: Observation }[] },
): Promise<void> {
  if (options.observations.length === 0) return
  await tx
    .insertInto('automation_observations')
    .values(
      options.observations.map(({ referenceId, content }) => ({
        automation_id: options.automationId,
        reference_id: referenceId,
        agent_run_id: options.agentRunId,
        content: storableJson(content),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['automation_id', 'reference_id']).doUpdateSet((from) => ({
        agent_run_id: from.ref('excluded.agent_run_id'),
        content: from.ref('excluded.content'),
      })),
    )
    .execute()
}
