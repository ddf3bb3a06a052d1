import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findOrganization, setOrganizationName, setWebhooksEnabled } from '../../store/people/organization-settings.ts'
import { Refusal } from '../refusal.ts'
import { type Caller, requireAdmin } from './caller.ts'
import { addMember, checkOrganizationName, createOrganization } from './organizations.ts'

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
  change: { name?: string; webhooksEnabled?: boolean },
): Promise<Organization> {
  requireAdmin(caller)
  if (change.name !== undefined) {
    await setOrganizationName(deps.db, caller.organizationId, checkOrganizationName(change.name, '/name'))
  }
  if (change.webhooksEnabled !== undefined) {
    await setWebhooksEnabled(deps.db, caller.organizationId, change.webhooksEnabled)
  }
  return getOrganization(deps, caller)
}

/** An organization beside the caller's own, with the caller as its first admin. It begins empty. */
export async function addOrganization(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  input: { name: string },
): Promise<{ id: string; name: string; role: 'admin' }> {
  requireAdmin(caller)
  const { clock, random } = deps
  const name = checkOrganizationName(input.name, '/name')
  return deps.db.transaction().execute(async (tx) => {
    const organization = await createOrganization({ tx, clock, random }, { name })
    await addMember({ tx, clock }, { organizationId: organization.id, userId: caller.userId, role: 'admin' })
    return { ...organization, role: 'admin' as const }
  })
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
