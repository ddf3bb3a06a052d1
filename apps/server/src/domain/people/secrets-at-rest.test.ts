import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../store/db.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { emptyTables } from '../../../testing/store/empty-tables.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { createApiKey } from './api-keys.ts'
import { bootstrapPeople } from './bootstrap.ts'
import { createInvitation } from './invitations.ts'
import { makeLink } from './person-links.ts'
import { bytesOfBase32, setUpSecondFactor } from '../../../testing/people/second-factor.ts'
import { signInAtOnce, testSignInDeps } from '../../../testing/people/sign-in.ts'

const peopleTables = [
  'organizations',
  'users',
  'memberships',
  'sessions',
  'api_keys',
  'person_links',
  'invitations',
  'second_factors',
  'recovery_codes',
]

/** The forms in which a secret could appear in a row. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const inJson = JSON.stringify(secret).slice(1, -1)
  const inBase64 = bytes.toString('base64').replace(/=+$/, '')
  return [secret, inJson, bytes.toString('hex'), inBase64, bytes.toString('base64url')]
}

describe.each(storeKinds)('secrets stored in %s', (kind) => {
  let store: Store
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())

  /** Every row of every people table as text; bytes appear as hex. */
  async function everything(): Promise<string> {
    const texts: string[] = []
    for (const table of peopleTables) {
      const read = sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} as t`
      const { rows } = await read.execute(store.db)
      expect({ table, isEmpty: rows.length === 0 }).toEqual({ table, isEmpty: false })
      texts.push(...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  }

  test('passwords, tokens and keys cannot be read from the store', async () => {
    const given = fc.record({
      password: fc.string({ minLength: 12, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim().length > 11),
      seed: fc.string(),
    })
    await fc.assert(
      fc.asyncProperty(given, async ({ password, seed }) => {
        await emptyTables(store.db, ['organizations', 'users'])
        const clock = manualClock()
        const deps = testSignInDeps(store, { clock, random: seededRandom(seed) })
        const made = (await bootstrapPeople(deps, { email: 'admin@localhost', password }))!
        const { token, caller } = await signInAtOnce(deps, { email: made.email, password })
        const { key } = await createApiKey(deps, caller, { name: 'key' })
        const link = await makeLink(deps, { userId: caller.userId, purpose: 'password_reset' })
        const baseUrl = 'https://querypost.test'
        const invited = { email: 'jane@example.com', role: 'member' } as const
        const invitation = await createInvitation({ ...deps, mail: null, baseUrl }, caller, invited)
        const { key: totpKey, code, recoveryCodes } = await setUpSecondFactor(deps, { id: caller.userId, email: made.email }, token)
        const tokens = [token, link.token, invitation.url.split('#')[1]!]

        const held = await everything()
        // Check the search itself: values that may be readable are found in the same text.
        expect(held).toContain('admin@localhost')
        expect(held).toContain(key.slice(0, 12))
        const rawTokens = tokens.map((each) => Buffer.from(each, 'base64url').toString('hex'))
        const ofSecondFactor = [totpKey, code, ...recoveryCodes, ...recoveryCodes.map((each) => each.replaceAll('-', ''))]
        expect(held).not.toContain(Buffer.from(bytesOfBase32(totpKey)).toString('hex'))
        const secrets = [...ofSecondFactor, password, ...tokens, key, made.apiKey, key.slice('qp_live_'.length)].flatMap(formsOf)
        for (const form of [...secrets, ...rawTokens]) expect(held).not.toContain(form)
      }),
      { seed: 20_260_105, numRuns: 6 },
    )
  })
})
