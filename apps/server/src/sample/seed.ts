import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { databaseFolder } from '../domain/databases/engines.ts'
import { newId, newShortId, newUuid } from '../domain/ids.ts'
import { checkDefinitions } from '../domain/parameters/check-definitions.ts'
import type { Caller } from '../model/caller.ts'
import { checkVisualization } from '../domain/references/check-visualization.ts'
import type { DatabaseServices } from '../domain/services.ts'
import { insertDatabase } from '../store/databases/databases-table.ts'
import { insertQuery } from '../store/queries/queries-table.ts'
import { insertReference } from '../store/references/references-table.ts'
import { seedAutomation } from './sample-automation.ts'
import { sampleQueries } from './sample-queries.ts'
import { createSampleShop } from './shop.ts'

/**
 * Gives a new organization something to look at: the sample shop, six queries over it and an automation. The file comes first and the rows in one transaction after it, so a start that is interrupted leaves nothing half
 * made and the next one begins anew.
 */
export async function seedSample(
  services: Pick<DatabaseServices, 'db' | 'clock' | 'random' | 'dataDirectory'>,
  caller: Caller,
  /** Makes the database file. Tests copy one instead. */
  makeShop: (file: string) => Promise<void> = createSampleShop,
): Promise<{ shortIds: string[]; automationId: string }> {
  const { db, clock, random } = services
  const { organizationId, userId } = caller
  const folder = databaseFolder({ ...services, organizationId })
  const file = 'sample-shop.duckdb'
  await mkdir(folder, { recursive: true })
  await makeShop(path.join(folder, file))
  const now = clock.now()
  const configId = newId(random, 'db')
  return db.transaction().execute(async (tx) => {
    await insertDatabase(tx, {
      id: configId,
      organizationId,
      name: 'Sample shop',
      engine: 'duckdb',
      settings: { file },
      createdBy: userId,
      createdAt: now,
    })
    const shortIds: string[] = []
    const referenceIds = new Map<string, string>()
    // The first of the list is the newest, so that it stands on top of the pages.
    for (const [age, sample] of sampleQueries.toReversed().entries()) {
      const createdAt = new Date(now.getTime() - (sampleQueries.length - age) * 1000)
      const query = { id: newUuid(services), sql: sample.sql, analyticalDatabaseConfigId: configId, createdBy: userId }
      await insertQuery(tx, { ...query, organizationId, now: createdAt })
      const shortId = newShortId(random)
      const referenceId = newId(random, 'ref')
      await insertReference(tx, {
        id: referenceId,
        organizationId,
        shortId,
        title: sample.title,
        description: sample.description,
        isOptimistic: false,
        queryId: query.id,
        visualization: sample.visualization && checkVisualization(sample.visualization),
        parameters: checkDefinitions(sample.parameters),
        createdBy: userId,
        now: createdAt,
      })
      shortIds.unshift(shortId)
      referenceIds.set(sample.title, referenceId)
    }
    return { shortIds, automationId: await seedAutomation({ tx, clock, random }, caller, referenceIds) }
  })
}
