import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import type { Role } from '../../model/people.ts'
import { cheapHash } from '../../testing/cheap-hash.ts'
import { newId } from '../ids.ts'
import type { Caller } from '../../model/caller.ts'
import { addMember, createOrganization, createUser } from './organizations.ts'

export const testPassword = 'correct horse battery staple'

/** Organizations and members for tests. Only who is to sign in needs a password. */
export function testMembers(deps: { db: Db; clock: Clock; random: Random }) {
  const { clock, random } = deps
  return {
    organization: (name = 'Acme') =>
      deps.db.transaction().execute(async (tx) => (await createOrganization({ tx, clock, random }, { name })).id),

    async member(
      organizationId: string,
      options: { email?: string; role?: Role; password?: string } = {},
    ): Promise<Caller & { email: string }> {
      const { password, role = 'member', email = `${newId(random, 'user')}@example.com` } = options
      const passwordHash = password === undefined ? 'none' : cheapHash(password)
      return deps.db.transaction().execute(async (tx) => {
        const user = await createUser({ tx, clock, random }, { email, name: 'A person', passwordHash })
        return { ...(await addMember({ tx, clock }, { organizationId, userId: user.id, role })), email }
      })
    },

    join: (organizationId: string, userId: string, role: Role = 'member') =>
      deps.db.transaction().execute((tx) => addMember({ tx, clock }, { organizationId, userId, role })),

    remove: (member: Caller) =>
      deps.db
        .deleteFrom('memberships')
        .where('organization_id', '=', member.organizationId)
        .where('user_id', '=', member.userId)
        .execute(),
  }
}
