import type { Clock } from '../../src/ports/clock.ts'
import type { Random } from '../../src/ports/random.ts'
import type { Db } from '../../src/store/db.ts'
import type { Role } from '../../src/model/people.ts'
import { cheapHash } from '../cheap-hash.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Caller } from '../../src/model/caller.ts'
import { addMember, createOrganization, createUser } from '../../src/domain/people/organizations.ts'

export const testPassword = 'correct horse battery staple'

/** Creates organizations and members for tests. Only members who sign in need a password. */
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
