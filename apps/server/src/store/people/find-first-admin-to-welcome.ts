import type { Db } from '../db.ts'

/**
 * The first admin, while nothing shows that anyone has read the credentials of the first start: the welcome link is unused, nobody has
 * signed in, and no API key was used. Undefined if the operator supplied the password, because then there is no welcome link.
 */
export async function findFirstAdminToWelcome(db: Db): Promise<{ userId: string } | undefined> {
  return db
    .selectFrom('person_links')
    .select('user_id as userId')
    .where('purpose', '=', 'welcome')
    .where('used_at', 'is', null)
    .where(({ and, not, exists, selectFrom }) =>
      and([
        not(exists(selectFrom('sessions').select('token_hash'))),
        not(exists(selectFrom('api_keys').select('id').where('last_used_at', 'is not', null))),
        // Sessions end, and the audit log remembers them.
        not(exists(selectFrom('audit_log').select('id').where('action', '=', 'session.started'))),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
}
