import { Type } from 'typebox'
import { searchReferences } from '../../../domain/references/search-references.ts'
import { oneOf } from '../../schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { LatestRun, presentLatestRun } from '../present-run.ts'
import { closed, ConfigId, nullable, nullableText, pageOf, pageRequest, paging, text } from '../shapes.ts'
import { shown, shownOrNull } from '../mcp-texts.ts'
import { defineTool, reads } from '../tool.ts'

export const listReferences = defineTool({
  name: 'list_references',
  scope: 'read:queries',
  title: 'List and search saved queries',
  description:
    'Lists references, which are saved queries with a title, a permalink and parameters, newest first. ' +
    'Use search to find words in title, description or SQL. Start here to answer a question about data.',
  hints: reads,
  input: Type.Object(
    {
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Words or prefixes of words; all must match' })),
      analyticalDatabaseConfigId: Type.Optional(ConfigId),
      createdBy: Type.Optional(oneOf(['me'])),
      ...paging,
    },
    closed,
  ),
  output: pageOf(
    Type.Object({
      shortId: text,
      title: text,
      description: nullableText,
      queryId: text,
      analyticalDatabaseConfigId: nullableText,
      createdByName: text,
      updatedAt: text,
      latestRun: nullable(LatestRun),
      url: text,
    }),
  ),
  async call({ services, caller }, input) {
    const { search, analyticalDatabaseConfigId: database, createdBy } = input
    const page = await searchReferences(services, caller, {
      ...pageRequest(input),
      ...(search !== undefined && { search }),
      ...(database !== undefined && { database }),
      ...(createdBy && { createdBy }),
    })
    const links = linksAt(services)
    const items = page.items.map((reference) => ({
      shortId: reference.shortId,
      title: shown(reference.title, bounds.listedText),
      description: shownOrNull(reference.description, bounds.listedText),
      queryId: reference.currentQuery.id,
      analyticalDatabaseConfigId: reference.analyticalDatabaseConfigId,
      createdByName: shown(reference.createdByName, bounds.listedText),
      updatedAt: reference.updatedAt.toISOString(),
      latestRun: presentLatestRun(reference.latestRun),
      url: links.reference(reference.shortId),
    }))
    return { ...page, items }
  },
})
