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
 * An *organization* owns everything its members make. A *user* is a person with an e-mail and a password, and may be a
 * *member* of several organizations, in each as `admin` or as `member`.
 *
 * The first three are steps of larger transactions and check no permission: whoever opens the transaction does.
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
 * Takes the password's hash, for hashing is slow and would hold the transaction open. Null: whoever comes through the
 * OIDC provider needs no password.
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
  if (!isCreated) throw badInput('/email', 'belongs to a user already')
  return user
}

export async function addMember(
  deps: Omit<StepDeps, 'random'>,
  input: { organizationId: string; userId: string; role: Role },
): Promise<Caller> {
  const { organizationId, userId, role } = input
  const isAdded = await insertMembership(deps.tx, { ...input, now: deps.clock.now() })
  if (!isAdded) throw badInput('/userId', 'is a member of the organization already')
  return { organizationId, userId, role, triggerId: userId }
}

export async function whoAmI(deps: { findMember: FindMember }, caller: Caller): Promise<Member> {
  const member = await deps.findMember(caller)
  if (!member) throw new Refusal('unauthenticated', 'You are not a member of this organization any more. Sign in again.')
  return member
}
