import { hasModelSettings } from '../../store/agents/has-model-settings.ts'
import { type AutomationContent, findReferenceIds } from '../../store/automations/automations-table.ts'
import type { Tx } from '../../store/db.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { Condition } from '../../model/automation.ts'
import { unknownReference } from './check-automation.ts'

/** Looks up what an automation names. It must exist in the caller's organization. */
export async function lookUpReferences(tx: Tx, { organizationId }: Caller, shortIds: string[]): Promise<string[]> {
  const ids = await findReferenceIds(tx, { organizationId, shortIds })
  return shortIds.map((shortId, index) => {
    const id = ids.get(shortId)
    if (id === undefined) throw unknownReference(`/references/${index}`, shortId)
    return id
  })
}

export async function lookUpCondition(
  tx: Tx,
  { organizationId }: Caller,
  condition: Condition,
): Promise<NonNullable<AutomationContent['condition']>> {
  const shortId = condition.reference
  const referenceId = (await findReferenceIds(tx, { organizationId, shortIds: [shortId] })).get(shortId)
  if (referenceId === undefined) throw unknownReference('/condition/reference', shortId)
  return { content: condition, referenceId }
}

export async function requireModel(tx: Tx, { organizationId }: Caller): Promise<void> {
  if (await hasModelSettings(tx, organizationId)) return
  throw new Refusal(
    'model_not_configured',
    'No model is set up for your organization. An admin can set one up in the settings. Or choose the digest agent, which needs none.',
  )
}
