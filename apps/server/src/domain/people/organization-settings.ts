import type { Db } from '../../store/db.ts'
import { findOrganization, setWebhooksEnabled } from '../../store/people/organization-settings.ts'
import { Refusal } from '../refusal.ts'
import { type Caller, requireAdmin } from './caller.ts'

export interface Organization {
  id: string
  name: string
  /** The feature switch for webhooks: off, no event is published and nothing about endpoints can be seen or done. */
  webhooksEnabled: boolean
}

export async function getOrganization(deps: { db: Db }, caller: Caller): Promise<Organization> {
  const organization = await findOrganization(deps.db, caller.organizationId)
  if (!organization) throw new Error('A caller belongs to an organization that does not exist.')
  return organization
}

export async function editOrganization(
  deps: { db: Db },
  caller: Caller,
  change: { webhooksEnabled?: boolean },
): Promise<Organization> {
  requireAdmin(caller)
  if (change.webhooksEnabled !== undefined) {
    await setWebhooksEnabled(deps.db, caller.organizationId, change.webhooksEnabled)
  }
  return getOrganization(deps, caller)
}

/** Everything about webhooks is for admins of organizations that have the feature switched on. */
export async function requireWebhooks(deps: { db: Db }, caller: Caller): Promise<void> {
  requireAdmin(caller)
  const { webhooksEnabled } = await getOrganization(deps, caller)
  if (!webhooksEnabled) {
    throw new Refusal(
      'forbidden',
      'Webhooks are switched off for your organization. An admin switches them on in the organization’s settings.',
    )
  }
}
