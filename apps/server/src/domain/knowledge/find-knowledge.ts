import type { InstructionsContent, KnowledgeProposal } from '../../model/knowledge.ts'
import type { Db } from '../../store/db.ts'
import { findCatalogTable, findTables } from '../../store/catalog/find-tables.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { findMetrics } from '../../store/knowledge/find-metrics.ts'
import { listDbtImports } from '../../store/knowledge/dbt-tables.ts'
import { listKnowledgeItems } from '../../store/knowledge/knowledge-items.ts'
import { listVerifiedQueries, type VerifiedReference } from '../../store/knowledge/verified-queries.ts'
import { askedWords, prefixQueries, wordsIn } from '../catalog/search-words.ts'
import { applyProposal } from './apply-proposal.ts'
import { findDbtMetrics } from './dbt/find-dbt-metrics.ts'
import type { KnowledgeCandidates } from './knowledge-candidates.ts'
import { type DescribedTable, withDescriptions } from './table-descriptions.ts'

export interface KnowledgeSearch {
  organizationId: string
  text: string
  /** How many of each kind are returned at most. */
  count: number
  /** A change that is not saved, and that only this search knows of. */
  proposal?: KnowledgeProposal | undefined
}

/** Finds candidates by the words of a text. The cost does not grow with the number of tables, queries or chats. */
export async function findKnowledge(deps: { db: Db }, search: KnowledgeSearch): Promise<KnowledgeCandidates> {
  const { db } = deps
  const { organizationId, proposal } = search
  const asked = askedWords(search.text)
  const databases = await listDatabases(db, organizationId)
  const found = await findSaved(db, search, { asked, databases })
  if (!proposal) return found
  const table = await findProposedTable(db, { organizationId, databases, proposal })
  return applyProposal(found, proposal, { asked, databases, table })
}

async function findProposedTable(
  db: Db,
  of: { organizationId: string; databases: { id: string; name: string }[]; proposal: KnowledgeProposal },
): Promise<DescribedTable | undefined> {
  const { content } = of.proposal
  if (content.kind !== 'table' || !of.databases.some(({ id }) => id === content.databaseId)) return undefined
  const table = await findCatalogTable(db, { ...content, organizationId: of.organizationId })
  return table && (await withDescriptions(db, { ...of, tables: [table] }))[0]
}

async function findSaved(
  db: Db,
  { organizationId, count }: KnowledgeSearch,
  { asked, databases }: { asked: string[]; databases: { id: string; name: string }[] },
): Promise<KnowledgeCandidates> {
  const words = prefixQueries(organizationId, asked)
  const items = await listKnowledgeItems(db, { organizationId, kind: 'instructions' })
  const instructions = [{ id: '', name: '' }, ...databases].flatMap(({ id, name }) => {
    const content: InstructionsContent | undefined = items.find(({ subject }) => subject === id)?.content
    return content?.text ? [{ database: id === '' ? null : { id, name }, text: content.text }] : []
  })
  if (words.length === 0) return { instructions, metrics: [], dbtMetrics: [], verifiedQueries: [], tables: [] }
  const anyOf = words.join(' | ')
  const metrics = await findMetrics(db, { organizationId, words: anyOf, count })
  const ownNames = new Set(metrics.map(({ content }) => content.name.toLowerCase()))
  const dbtMetrics = findDbtMetrics(await listDbtImports(db, organizationId), { asked, count })
  const verified = await listVerifiedQueries(db, { organizationId, words: anyOf })
  const tables = await findTables(db, { organizationId, databaseIds: databases.map(({ id }) => id), words, count })
  return {
    instructions,
    metrics,
    dbtMetrics: dbtMetrics.filter(({ name, label }) => !ownNames.has(name.toLowerCase()) && !ownNames.has(label.toLowerCase())),
    verifiedQueries: rankQueries(verified.filter(({ verification }) => !verification.isOutdated), asked).slice(0, count),
    tables: await withDescriptions(db, { organizationId, databases, tables }),
  }
}

/** Words of the title count most, then those of the description, then those of the SQL. */
function rankQueries(queries: VerifiedReference[], asked: string[]): VerifiedReference[] {
  const ranked = queries.map((query) => {
    const places = [query.title, query.description ?? '', query.sql.slice(0, 20_000)].map(wordsIn)
    const weightOf = (word: string) => {
      const place = places.findIndex((words) => words.some((other) => other.startsWith(word)))
      return place === -1 ? 0 : [9, 3, 1][place]!
    }
    return { query, rank: asked.reduce((sum, word) => sum + weightOf(word), 0) }
  })
  return ranked.toSorted((a, b) => b.rank - a.rank).map(({ query }) => query)
}
