import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { hasOrganization } from '../../store/people/organizations-table.ts'
import { takeBootstrapLock } from '../../store/people/bootstrap-lock.ts'
import { recordAction } from '../audit/record-action.ts'
import { recordJoining } from '../audit/record-joining.ts'
import { generateApiKey, storeApiKey } from './api-keys.ts'
import { scopeActions } from '../../model/api-key-scope.ts'
import type { Caller } from '../../model/caller.ts'
import { makeLink } from './person-links.ts'
import { addMember, createOrganization, createUser } from './organizations.ts'
import { generatePassword, hashPassword, type PasswordDeps } from './passwords.ts'

export interface Bootstrapped {
  caller: Caller
  email: string
  password: string
  apiKey: string
  /** For the link with which the first admin chooses a password; null if the operator supplied one. */
  welcomeToken: string | null
  /** Which of the two were generated: these must be printed, because they can never be read again. */
  generated: { password: boolean; apiKey: boolean }
}

/**
 * The first start: creates an organization, its first admin and that admin's API key, all or nothing. Returns undefined if there
 * already is an organization: of several processes that start together, exactly one succeeds.
 */
export async function bootstrapPeople(
  deps: { db: Db; clock: Clock } & PasswordDeps,
  input: { email: string; password?: string; apiKey?: string; organizationName?: string },
): Promise<Bootstrapped | undefined> {
  if (await hasOrganization(deps.db)) return undefined
  const password = input.password ?? generatePassword(deps.random)
  const apiKey = input.apiKey ?? generateApiKey(deps.random)
  const passwordHash = await hashPassword(deps, password)
  return deps.db.transaction().execute(async (tx) => {
    await takeBootstrapLock(tx)
    if (await hasOrganization(tx)) return undefined
    const { clock, random } = deps
    const name = input.organizationName ?? 'My organization'
    const organization = await createOrganization({ tx, clock, random }, { name })
    const user = await createUser({ tx, clock, random }, { email: input.email, name: 'Admin', passwordHash })
    const caller = await addMember({ tx, clock }, { organizationId: organization.id, userId: user.id, role: 'admin' })
    const subject = { type: 'organization', ...organization } as const
    await recordAction({ tx, clock, random }, caller, { action: 'organization.created', subject })
    const joining = { organizationId: organization.id, user, role: caller.role, by: 'founding', origin: undefined } as const
    await recordJoining({ tx, clock, random }, joining)
    await storeApiKey({ db: tx, clock, random }, caller, { name: 'Bootstrap key', key: apiKey, scopes: scopeActions })
    const generated = { password: input.password === undefined, apiKey: input.apiKey === undefined }
    const link = { userId: user.id, purpose: 'welcome' } as const
    const welcomeToken = generated.password ? (await makeLink({ db: tx, clock, random }, link)).token : null
    return { caller, email: user.email, password, apiKey, welcomeToken, generated }
  })
}
