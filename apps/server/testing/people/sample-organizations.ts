import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { dayOf } from '../../src/domain/parameters/date-range.ts'
import { createApiKey } from '../../src/domain/people/api-keys.ts'
import { addMember, createOrganization, createUser } from '../../src/domain/people/organizations.ts'
import { scopeActions } from '../../src/model/api-key-scope.ts'
import { systemClock as clock } from '../../src/ports/clock.ts'
import { secureRandom as random } from '../../src/ports/random.ts'
import { seedSample } from '../../src/sample/seed.ts'
import { createSampleShop } from '../../src/sample/shop.ts'
import { isAgentRunOver } from '../../src/store/agent-runs/is-agent-run-over.ts'
import { type Db, openPostgres } from '../../src/store/db.ts'
import { cheapHash } from '../cheap-hash.ts'
import { pollPause } from '../poll-pause.ts'
import { silentLog } from '../silent-log.ts'
import { copyTemplate } from '../store/copy-template.ts'

/** Creates any number of organizations like the one of a first start, for a service with its own database and data directory. */
export interface SampleOrganizations {
  databaseUrl: string
  add(name: string): Promise<SampleOrganization>
  /** Resolves when the run of an automation is over. */
  ended(runId: string): Promise<void>
  close(): Promise<void>
}

/** An organization with the sample, whose automation has not run yet. */
export interface SampleOrganization {
  organizationId: string
  automationId: string
  /** The admin's address. */
  email: string
  password: string
  apiKey: string
}

const password = 'correct horse battery'

/** `postgresUrl` is the server with the migrated template. */
export async function openSampleOrganizations(options: {
  postgresUrl: string
  dataDirectory: string
}): Promise<SampleOrganizations> {
  const { dataDirectory } = options
  const databaseUrl = await copyTemplate(options.postgresUrl)
  const { db, close } = await openPostgres({ url: databaseUrl, maxConnections: 2, clock, log: silentLog })
  const shop = path.join(dataDirectory, 'sample-shop.duckdb')
  const firstStartOn = dayOf(clock.now())
  await createSampleShop(shop, { firstStartOn, lastDay: firstStartOn })
  return {
    databaseUrl,
    async add(name) {
      const caller = await db.transaction().execute(async (tx) => {
        const { id } = await createOrganization({ tx, clock, random }, { name: 'My organization' })
        const email = `ada@${name}.test`
        const user = await createUser({ tx, clock, random }, { email, name: 'Admin', passwordHash: cheapHash(password) })
        return { ...(await addMember({ tx, clock }, { organizationId: id, userId: user.id, role: 'admin' })), email }
      })
      const { key } = await createApiKey({ db, clock, random }, caller, { name: 'Bootstrap key', scopes: scopeActions })
      const { automationId } = await seedSample({ db, clock, random, dataDirectory }, caller, {
        firstStartOn,
        makeShop: (file) => copyFile(shop, file),
      })
      await postponeSchedule(db, automationId)
      return { organizationId: caller.organizationId, automationId, email: caller.email, password, apiKey: key }
    },
    async ended(runId) {
      while (!(await isAgentRunOver(db, runId))) await pollPause()
    },
    close,
  }
}

/** Without this the report would run on its own in the middle of a test at eight on a Monday (UTC). */
const postponeSchedule = (db: Db, automationId: string) =>
  db
    .updateTable('automations')
    .set({ next_due_at: sql`next_due_at + interval '7 days'` })
    .where('id', '=', automationId)
    .execute()
