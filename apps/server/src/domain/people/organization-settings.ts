import { paletteProblem } from '@querypost/visualization'
import type { Clock } from '../../ports/clock.ts'
import type { OidcProvider } from '../../ports/oidc.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import {
  findOrganization,
  setChartPalette,
  setCostLimits,
  setMemberUploadsEnabled,
  setOrganizationName,
  setPublicLinksEnabled,
  setWebhooksEnabled,
} from '../../store/people/organizations-table.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { recordJoining } from '../audit/record-joining.ts'
import { Refusal } from '../refusal.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { badInput } from './check-text.ts'
import { changeSignInPolicy } from './sign-in-policy.ts'
import { addMember, checkOrganizationName, createOrganization } from './organizations.ts'
import type { Organization } from '../../model/people.ts'

export async function getOrganization(deps: { db: Db }, caller: Caller): Promise<Organization> {
  const organization = await findOrganization(deps.db, caller.organizationId)
  if (!organization) throw new Error('The caller’s organization does not exist.')
  return organization
}

export async function editOrganization(
  deps: { db: Db; clock: Clock; random: Random; oidc: Pick<OidcProvider, 'issuer'> | null },
  caller: Caller,
  { token, ...change }: Partial<Omit<Organization, 'id'>> & { token: string },
): Promise<Organization> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { webhooksEnabled, publicLinksEnabled, memberUploadsEnabled, costLimits } = change
  const chartPalette = change.chartPalette === undefined ? undefined : checkPalette(change.chartPalette)
  const name = change.name === undefined ? undefined : checkOrganizationName(change.name, '/name')
  return deps.db.transaction().execute(async (tx) => {
    const before = await getOrganization({ db: tx }, caller)
    if (name !== undefined) await setOrganizationName(tx, organizationId, name)
    if (webhooksEnabled !== undefined) await setWebhooksEnabled(tx, organizationId, webhooksEnabled)
    if (chartPalette !== undefined) await setChartPalette(tx, organizationId, chartPalette)
    if (publicLinksEnabled !== undefined) await setPublicLinksEnabled(tx, organizationId, publicLinksEnabled)
    if (memberUploadsEnabled !== undefined) await setMemberUploadsEnabled(tx, organizationId, memberUploadsEnabled)
    if (costLimits !== undefined) await setCostLimits(tx, organizationId, costLimits)
    await changeSignInPolicy({ ...deps, tx }, caller, { before, change, token })
    const after = await getOrganization({ db: tx }, caller)
    await recordChange({ ...deps, tx }, caller, {
      action: 'organization.changed',
      subject: { type: 'organization', id: organizationId, name: before.name },
      details: { changes: changesOf(before, after) },
    })
    return after
  })
}

function checkPalette(colors: string[] | null): string[] | null {
  const problem = colors && paletteProblem(colors)
  if (problem) throw badInput('/chartPalette', problem)
  return colors && colors.map((color) => color.toLowerCase())
}

/** Adds another organization with the caller as its first admin. It starts empty. */
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
    const organizationId = organization.id
    await addMember({ tx, clock }, { organizationId, userId: caller.userId, role: 'admin' })
    const founder = (await findUser(tx, caller.userId))!
    const subject = { type: 'organization', ...organization } as const
    await recordAction({ ...deps, tx }, { ...caller, organizationId }, { action: 'organization.created', subject })
    const { origin } = caller
    await recordJoining({ ...deps, tx }, { organizationId, user: founder, role: 'admin', by: 'founding', origin })
    return { ...organization, role: 'admin' as const }
  })
}

/** Webhooks are only for admins, and only if the organization has the feature turned on. */
export async function requireWebhooks(deps: { db: Db }, caller: Caller): Promise<void> {
  requireAdmin(caller)
  await requireWebhooksEnabled(deps, caller)
}

export async function requireWebhooksEnabled(deps: { db: Db }, caller: Caller): Promise<void> {
  const { webhooksEnabled } = await getOrganization(deps, caller)
  if (!webhooksEnabled) {
    throw new Refusal(
      'forbidden',
      'Webhooks are turned off for your organization. An admin can turn them on in the organization’s settings.',
    )
  }
}
