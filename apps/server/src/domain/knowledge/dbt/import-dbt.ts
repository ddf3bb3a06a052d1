import type { Readable } from 'node:stream'
import type { Caller } from '../../../model/caller.ts'
import { catalogLimits, type CatalogTable } from '../../../model/catalog.ts'
import { type DbtImport, dbtLimits } from '../../../model/dbt.ts'
import { listTables } from '../../../store/catalog/find-tables.ts'
import { writeCatalogTables } from '../../../store/catalog/write-catalog.ts'
import type { Db } from '../../../store/db.ts'
import { deleteDbtProject, listDbtImports as readDbtImports, replaceDbtProject } from '../../../store/knowledge/dbt-tables.ts'
import { lockKnowledge } from '../../../store/knowledge/knowledge-items.ts'
import { requireAdmin } from '../../access/require-admin.ts'
import { recordAction } from '../../audit/record-action.ts'
import { readOwnDescriptions, tableKey } from '../../catalog/own-descriptions.ts'
import { catalogRowOf } from '../../catalog/update-catalog.ts'
import { getDatabaseConfig } from '../../databases/get-database-config.ts'
import { uploadTooLarge } from '../../databases/store-upload.ts'
import { badInput } from '../../people/check-text.ts'
import { Refusal } from '../../refusal.ts'
import { isWebAddress } from '../../web-address.ts'
import type { KnowledgeDeps } from '../change-knowledge.ts'
import { matchCatalog } from './match-catalog.ts'
import { type ArtifactLinks, readArtifacts } from './read-artifacts.ts'

export interface GivenArtifacts extends ArtifactLinks {
  databaseId: string
  bytes: Readable
}

/** Reads the artifacts of a dbt project, and replaces everything that its earlier import has written. */
export async function importDbt(deps: KnowledgeDeps, caller: Caller, given: GivenArtifacts): Promise<DbtImport> {
  requireAdmin(caller)
  const { organizationId, userId } = caller
  const database = await getDatabaseConfig(deps, caller, given.databaseId)
  const links = { docsUrl: checkLink('docsUrl', given.docsUrl), repositoryUrl: checkLink('repositoryUrl', given.repositoryUrl) }
  const project = await readArtifacts(bounded(given.bytes, dbtLimits.uploadBytes), links)
  const catalog = await listTables(deps.db, { organizationId, databaseIds: [database.id], count: catalogLimits.tables })
  const { tables, foundCount } = matchCatalog(project.tables, catalog)
  const imported: DbtImport = {
    databaseId: database.id,
    project: project.name,
    manifestVersion: project.manifestVersion,
    generatedAt: project.generatedAt,
    tableCount: tables.length,
    foundTableCount: foundCount,
    describedColumnCount: tables.reduce((count, { columns }) => count + Object.keys(columns).length, 0),
    metrics: project.metrics,
    importedBy: userId,
    importedAt: deps.clock.now(),
  }
  await deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    await replaceDbtProject(tx, { ...imported, organizationId, tables })
    const { project: name, tableCount } = imported
    const subject = { type: 'database', id: database.id, name: database.name } as const
    await recordAction({ ...deps, tx }, caller, { action: 'knowledge.dbt_imported', subject, details: { project: name, tableCount } })
  })
  await updateWords(deps, { organizationId, id: database.id }, catalog)
  return imported
}

/** Forgets everything that the import of a project has written, and returns the import. */
export async function deleteDbtImport(deps: KnowledgeDeps, caller: Caller, given: { databaseId: string; project: string }): Promise<DbtImport> {
  requireAdmin(caller)
  const { organizationId } = caller
  const database = await getDatabaseConfig(deps, caller, given.databaseId)
  const deleted = await deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    const { project } = given
    const found = (await readDbtImports(tx, organizationId)).find((each) => each.databaseId === database.id && each.project === project)
    if (!found) throw noSuchImport(project)
    await deleteDbtProject(tx, { organizationId, databaseId: database.id, project })
    const subject = { type: 'database', id: database.id, name: database.name } as const
    await recordAction({ ...deps, tx }, caller, { action: 'knowledge.dbt_deleted', subject, details: { project } })
    return found
  })
  const catalog = await listTables(deps.db, { organizationId, databaseIds: [database.id], count: catalogLimits.tables })
  await updateWords(deps, { organizationId, id: database.id }, catalog)
  return deleted
}

const noSuchImport = (project: string) =>
  new Refusal('knowledge_not_found', `There is no import of the dbt project ${JSON.stringify(project)}. It may have been deleted.`)

export const listDbtImports = (deps: { db: Db }, { organizationId }: Caller): Promise<DbtImport[]> => readDbtImports(deps.db, organizationId)

async function* bounded(bytes: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  // Not destroyed when this ends early: the sender must still be able to read the response.
  for await (const piece of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    sizeBytes += piece.length
    if (sizeBytes > maxBytes) throw uploadTooLarge(maxBytes)
    yield piece
  }
}

function checkLink(name: string, link: string | undefined): string | undefined {
  if (link === undefined) return undefined
  if (!isWebAddress(link)) throw badInput(name, 'must be an address that begins with https://')
  return link
}

const batchSize = 100

/** The words by which tables are found. Should this fail, the next refresh of the catalog does it. */
async function updateWords(deps: { db: Db }, database: { organizationId: string; id: string }, catalog: CatalogTable[]): Promise<void> {
  const descriptions = await readOwnDescriptions(deps, database)
  const key = { organizationId: database.organizationId, databaseId: database.id }
  for (let start = 0; start < catalog.length; start += batchSize) {
    const rows = catalog
      .slice(start, start + batchSize)
      .map((table) => catalogRowOf(database.organizationId, table, descriptions.get(tableKey(table))))
    await writeCatalogTables(deps.db, key, rows)
  }
}
