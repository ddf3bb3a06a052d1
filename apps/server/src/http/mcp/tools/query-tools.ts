import { Type } from 'typebox'
import { listQueries as readQueries, getStoredQuery } from '../../../domain/queries/queries.ts'
import { listReferencesTo } from '../../../domain/references/references.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { uuidPattern } from '../../schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { presentRunAnswer, RunAnswer } from '../present-run.ts'
import { closed, nullable, pageOf, pageRequest, paging, QueryId, Status, text } from '../shapes.ts'
import { shown } from '../mcp-texts.ts'
import { defineTool, reads } from '../tool.ts'

export const listQueries = defineTool({
  name: 'list_queries',
  scope: 'read:queries',
  title: 'List queries',
  description:
    'Lists all stored queries, newest first, including those not saved under a title. ' +
    'list_references is usually the better start: it has titles and search.',
  hints: reads,
  input: Type.Object(paging, closed),
  output: pageOf(
    Type.Object({
      id: text,
      sql: text,
      analyticalDatabaseConfigId: text,
      createdAt: text,
      latestRun: nullable(Type.Object({ id: text, status: Status, runAt: text })),
      url: text,
    }),
  ),
  async call({ services, caller }, input) {
    const page = await readQueries(services, caller, pageRequest(input))
    const items = page.items.map(({ id, sql, analyticalDatabaseConfigId, createdAt, latestRun }) => ({
      id,
      sql: shown(sql, bounds.listedText),
      analyticalDatabaseConfigId,
      createdAt: createdAt.toISOString(),
      latestRun: latestRun && { ...latestRun, runAt: latestRun.runAt.toISOString() },
      url: linksAt(services).query(id),
    }))
    return { ...page, items }
  },
})

export const getQuery = defineTool({
  name: 'get_query',
  scope: 'read:queries',
  title: 'Get a query',
  description: 'Returns a query with its SQL, its latest run, and the references that point to it.',
  hints: reads,
  input: Type.Object({ queryId: QueryId }, closed),
  output: Type.Object({
    id: text,
    sql: text,
    analyticalDatabaseConfigId: text,
    createdBy: text,
    createdAt: text,
    references: Type.Array(Type.Object({ shortId: text, title: text })),
    latestRun: nullable(RunAnswer),
    url: text,
  }),
  async call({ services, caller }, { queryId }) {
    const query = await getStoredQuery(services, caller, checkQueryId(queryId))
    const references = await listReferencesTo(services, caller, query.id)
    return {
      id: query.id,
      sql: shown(query.sql, bounds.sql),
      analyticalDatabaseConfigId: query.analyticalDatabaseConfigId,
      createdBy: query.createdBy,
      createdAt: query.createdAt.toISOString(),
      references: references
        .slice(0, bounds.pageSizeDefault)
        .map(({ shortId, title }) => ({ shortId, title: shown(title, bounds.listedText) })),
      latestRun: query.latestRun && presentRunAnswer(query.latestRun, services),
      url: linksAt(services).query(query.id),
    }
  },
})

/** The store fails on an id that is not a UUID, so such an id is reported as not found. */
export function checkQueryId(queryId: string): string {
  if (new RegExp(uuidPattern).test(queryId)) return queryId
  throw new Refusal('query_not_found', `There is no query ${JSON.stringify(queryId)}: the id must be a UUID.`)
}
