import { Type } from 'typebox'
import { getAutomationLineage, getBoardLineage } from '../../domain/lineage/item-lineage.ts'
import { getReferenceLineage } from '../../domain/lineage/reference-lineage.ts'
import { getTableUsers } from '../../domain/lineage/table-users.ts'
import type { QueryServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { responses } from '../responses.ts'
import { ItemLineage, ReferenceLineage, TableQuery, TableUsers } from '../schemas/lineage-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Lineage']

/** What saved queries, boards and automations read, and what uses them, for programs. Not part of the retired API. */
export function lineageRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/references/:shortId/lineage',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'lineage.ofReference',
        tags,
        summary: 'Read the lineage of a reference',
        description:
          'Which tables, columns and saved queries the reference reads, and which saved queries, boards and automations use it. Lineage is read from the SQL; `isComplete` says whether the SQL may read more.',
        params: Type.Object({
          shortId: Type.String({ description: 'The reference’s `shortId`, as in its permalink.', examples: ['h5w8r3tzqa'] }),
        }),
        response: responses(200, ReferenceLineage, ['reference_not_found']),
      },
    },
    async (request) => getReferenceLineage(services, callerOf(request), request.params.shortId),
  )

  api.get(
    '/api/boards/:shortId/lineage',
    {
      config: { scope: 'read:boards' },
      schema: {
        operationId: 'lineage.ofBoard',
        tags,
        summary: 'Read the lineage of a board',
        description:
          'Which saved queries the tiles of the board show, which of them they read with `ref(…)`, and which tables and columns all of these read.',
        params: Type.Object({ shortId: Type.String({ description: 'The board’s `shortId`, as in its permalink.', examples: ['b7m2p9qxwd'] }) }),
        response: responses(200, ItemLineage, ['board_not_found']),
      },
    },
    async (request) => getBoardLineage(services, callerOf(request), request.params.shortId),
  )

  api.get(
    '/api/automations/:id/lineage',
    {
      config: { scope: 'read:automations' },
      schema: {
        operationId: 'lineage.ofAutomation',
        tags,
        summary: 'Read the lineage of an automation',
        description:
          'Which saved queries the automation looks at or watches, which of them they read with `ref(…)`, and which tables and columns all of these read.',
        params: Type.Object({ id: Type.String({ description: 'The automation’s id, shown on its page.', examples: ['automation_8d2r'] }) }),
        response: responses(200, ItemLineage, ['automation_not_found']),
      },
    },
    async (request) => getAutomationLineage(services, callerOf(request), request.params.id),
  )

  api.get(
    '/api/databases/:id/users',
    {
      config: { scope: 'read:databases' },
      schema: {
        operationId: 'lineage.ofTable',
        tags,
        summary: 'Find out what uses a table or a column',
        description:
          'The saved queries that read the table, those that read these with `ref(…)`, and the boards and automations that use any of them. With `column`, only what uses that column: this is what breaks if it goes away.',
        params: Type.Object({ id: Type.String({ description: 'The id of the database.', examples: ['db_4k2n'] }) }),
        querystring: TableQuery,
        response: responses(200, TableUsers, ['database_not_found']),
      },
    },
    async (request) => getTableUsers(services, callerOf(request), { databaseId: request.params.id, ...request.query }),
  )
}
