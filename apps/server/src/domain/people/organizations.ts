import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tx } from '../../store/db.ts'
import type { Role } from '../../model/people.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { FindMember, Member } from '../../store/people/find-member.ts'
import { insertMembership } from '../../store/people/memberships-table.ts'
import { insertOrganization } from '../../store/people/organizations-table.ts'
import { insertUser } from '../../store/people/users-table.ts'
import type { Caller } from '../../model/caller.ts'
import { badInput, checkEmail, checkText } from './check-text.ts'

/**
 * An *organization* owns everything its members create. A *user* is a person with an e-mail and a password, and may be a *member*
 * of several organizations, in each as `admin` or as `member`.
 *
 * The functions with `tx` are parts of larger transactions and check no permissions: their callers do.
 */
interface StepDeps {
  tx: Tx
  clock: Clock
  random: Random
}

export function checkOrganizationName(name: string, path = '/organizationName'): string {
  return checkText({ path, text: name, maxCharacters: 100 })
}

export function checkPersonName(name: string): string {
  return checkText({ path: '/name', text: name, maxCharacters: 100 })
}

export async function createOrganization(deps: StepDeps, input: { name: string }): Promise<{ id: string; name: string }> {
  const organization = { id: newId(deps.random, 'org'), name: checkOrganizationName(input.name) }
  await insertOrganization(deps.tx, { ...organization, now: deps.clock.now() })
  return organization
}

/**
 * Takes the hash rather than the password, because hashing is slow and would keep the transaction open. Null for someone who signs
 * in through the OIDC provider and needs no password.
 */
export async function createUser(
  deps: StepDeps,
  input: { email: string; name: string; passwordHash: string | null },
): Promise<{ id: string; email: string; name: string }> {
  const user = {
    id: newId(deps.random, 'user'),
    email: checkEmail(input.email),
    name: checkPersonName(input.name),
  }
  const isCreated = await insertUser(deps.tx, { ...user, passwordHash: input.passwordHash, now: deps.clock.now() })
  if (!isCreated) throw badInput('/email', 'already belongs to a user')
  return user
}

export async function addMember(
  deps: Omit<StepDeps, 'random'>,
  input: { organizationId: string; userId: string; role: Role },
): Promise<Caller> {
  const { organizationId, userId, role } = input
  const isAdded = await insertMembership(deps.tx, { ...input, now: deps.clock.now() })
  if (!isAdded) throw badInput('/userId', 'is already a member of the organization')
  return { organizationId, userId, role, triggerId: userId }
}

export async function whoAmI(deps: { findMember: FindMember }, caller: Caller): Promise<Member> {
  const member = await deps.findMember(caller)
  if (!member) throw new Refusal('unauthenticated', 'You are no longer a member of this organization. Sign in again.')
  return member
}
