import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { databaseFolder } from '../domain/databases/engines.ts'
import { newId, newShortId, newUuid } from '../domain/ids.ts'
import { dayOf } from '../domain/parameters/date-range.ts'
import { checkDefinitions } from '../domain/parameters/check-definitions.ts'
import type { Caller } from '../model/caller.ts'
import { checkVisualization } from '../domain/references/check-visualization.ts'
import type { DatabaseServices } from '../domain/services.ts'
import { insertDatabase } from '../store/databases/databases-table.ts'
import { insertSampleShop } from '../store/databases/sample-shops-table.ts'
import { insertQuery } from '../store/queries/queries-table.ts'
import { insertReference } from '../store/references/references-table.ts'
import { seedAutomation } from './sample-automation.ts'
import { sampleBoardQueries, seedBoard } from './sample-board.ts'
import { seedKnowledge, type SeededReference } from './sample-knowledge.ts'
import { sampleQueriesOf } from './sample-queries.ts'
import { seedQuestions } from './sample-questions.ts'
import { createSampleShop, type ShopDays } from './shop.ts'
import { shopCalendar } from './shop-calendar.ts'

export interface SampleOptions {
  firstStartOn?: string
  makeShop?: (file: string, days: ShopDays) => Promise<void>
}

export interface SeededSample {
  /** Of the queries, newest first. */
  shortIds: string[]
  boardShortId: string
  automationId: string
}

/**
 * Seeds a new organization with the sample shop, queries over it, a board, an automation, some knowledge and a question set. The database
 * file is written first, then all rows in one transaction, so an interrupted start leaves nothing half done and the next one starts over.
 */
export async function seedSample(
  services: Pick<DatabaseServices, 'db' | 'clock' | 'random' | 'dataDirectory'>,
  caller: Caller,
  /** Tests choose the day, and copy a database file instead of creating it. */
  { firstStartOn = dayOf(services.clock.now()), makeShop = createSampleShop }: SampleOptions = {},
): Promise<SeededSample> {
  const { db, clock, random } = services
  const { organizationId, userId } = caller
  const folder = databaseFolder({ ...services, organizationId })
  const file = 'sample-shop.duckdb'
  await mkdir(folder, { recursive: true })
  await makeShop(path.join(folder, file), { firstStartOn, lastDay: firstStartOn })
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
    await insertSampleShop(tx, { organizationId, databaseId: configId, firstStartOn, lastDay: firstStartOn })
    const sampleQueries = [...sampleQueriesOf(firstStartOn), ...sampleBoardQueries]
    const shortIds: string[] = []
    const referenceIds = new Map<string, string>()
    const references = new Map<string, SeededReference>()
    // The first query of the list is the newest, so that it is at the top of the pages.
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
      references.set(sample.title, { id: referenceId, shortId, queryId: query.id })
    }
    await seedQuestions({ tx, clock, random }, caller, { databaseId: configId, year: shopCalendar(firstStartOn).year })
    await seedKnowledge({ tx, clock, random }, caller, { databaseId: configId, references })
    const boardShortId = await seedBoard({ tx, clock, random }, caller, references)
    return { shortIds, boardShortId, automationId: await seedAutomation({ tx, clock, random }, caller, referenceIds) }
  })
}
