import { Type } from 'typebox'
import { makeBoardImages } from '../../domain/boards/board-image.ts'
import { readBoardResults } from '../../domain/boards/board-results.ts'
import { createBoard, deleteBoard, editBoard, getBoard, listBoards } from '../../domain/boards/boards.ts'
import { refreshBoard } from '../../domain/boards/refresh-board.ts'
import type { QueryServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { etagOf, requireVersion } from '../if-match.ts'
import { presentDeletedBoard, presentPublishedBoard, presentTileResults } from '../present-board.ts'
import { responses } from '../responses.ts'
import { NotModified, PageQuery, pageOf, unnamed } from '../schemas.ts'
import {
  BoardChange,
  BoardResults,
  DeletedBoard,
  GivenBoardValues,
  GivenRefresh,
  NewBoard,
  PublishedBoard,
} from '../schemas/board-schemas.ts'
import { sendImage } from '../send-image.ts'
import type { Api } from '../typed.ts'
import { completeBoard } from '../given-board.ts'

const tags = ['Boards']
const Params = Type.Object({
  shortId: Type.String({ description: 'The board’s `shortId`, as in its permalink.', examples: ['b7m2p9qxwd'] }),
})
const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'Required: the `version` that you change, in double quotes.', examples: ['"1"'] }),
  ),
})

const ValueInUrl = Type.Union([Type.String(), Type.Array(Type.String())])

/** OpenAPI describes search parameters of any name as an object that is spread over the query string. */
const ValuesInUrl = Type.Unsafe<never>({
  type: 'object',
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  style: 'form',
  explode: true,
  description:
    'Values of the board’s parameters, as in its own URL: each is a search parameter with the parameter’s name, repeated for a list. Those left out have their defaults.',
  examples: [{ country: 'Germany' }],
})

/** Boards for programs. Not part of the retired API. */
export function boardRoutes(api: Api, services: QueryServices): void {
  const boardImage = makeBoardImages(services)

  api.get(
    '/api/boards',
    {
      config: { scope: 'read:boards' },
      schema: {
        operationId: 'boards.list',
        tags,
        summary: 'List boards, newest first',
        description:
          'Lists the organization’s boards, page by page. All pages show the list and every field as of the first page, including boards deleted since.',
        querystring: PageQuery,
        response: responses(200, pageOf('BoardPage', PublishedBoard), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const page = await listBoards(services, callerOf(request), request.query)
      return { ...page, items: page.items.map((board) => presentPublishedBoard(board, services)) }
    },
  )

  api.post(
    '/api/boards',
    {
      config: { scope: 'write:boards' },
      schema: {
        operationId: 'boards.create',
        tags,
        summary: 'Create a board',
        description: 'Creates a board with its tiles. Tiles must not overlap, and their queries must exist.',
        body: unnamed(NewBoard),
        response: responses(201, PublishedBoard, ['folder_not_found', 'managed_by_files', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const board = await createBoard(services, callerOf(request), completeBoard(request.body))
      return reply.code(201).header('etag', etagOf(board)).send(presentPublishedBoard(board, services))
    },
  )

  api.get(
    '/api/boards/:shortId',
    {
      config: { scope: 'read:boards' },
      schema: {
        operationId: 'boards.get',
        tags,
        summary: 'Retrieve a board',
        description: 'Returns the board with its tiles. Its `version` is also the `ETag`.',
        params: Params,
        response: responses(200, PublishedBoard, ['board_not_found']),
      },
    },
    async (request, reply) => {
      const board = await getBoard(services, callerOf(request), request.params.shortId)
      reply.header('etag', etagOf(board))
      return presentPublishedBoard(board, services)
    },
  )

  api.patch(
    '/api/boards/:shortId',
    {
      config: { scope: 'write:boards' },
      schema: {
        operationId: 'boards.update',
        tags,
        summary: 'Change a board',
        description:
          'Changes only the given fields; `tiles`, `tabs` and `parameters` replace all earlier ones. Send the version that you have read as `If-Match`. If someone has changed the board since, nothing is changed.',
        params: Params,
        headers: IfMatch,
        body: unnamed(BoardChange),
        response: responses(200, PublishedBoard, ['board_not_found', 'folder_not_found', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const key = { ...request.params, version: requireVersion(request) }
      const board = await editBoard(services, callerOf(request), key, completeBoard(request.body))
      reply.header('etag', etagOf(board))
      return presentPublishedBoard(board, services)
    },
  )

  api.delete(
    '/api/boards/:shortId',
    {
      config: { scope: 'write:boards' },
      schema: {
        operationId: 'boards.delete',
        tags,
        summary: 'Delete a board',
        description: 'After this, the permalink returns 404. The queries of its tiles are kept.',
        params: Params,
        headers: IfMatch,
        response: responses(200, DeletedBoard, ['board_not_found', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => {
      const key = { ...request.params, version: requireVersion(request) }
      return presentDeletedBoard(await deleteBoard(services, callerOf(request), key))
    },
  )

  api.post(
    '/api/boards/:shortId/refresh',
    {
      ...optionalBody,
      config: { scope: 'run:boards', ...optionalBody.config },
      schema: {
        operationId: 'boards.refresh',
        tags,
        summary: 'Run the queries of a board',
        description:
          'Runs the queries of all tiles, or of some, and returns the state of every tile immediately. Tiles with the same query and values share a run. A query that is being run with other values is run after that. Read the results until no tile is `running`.',
        params: Params,
        body: unnamed(GivenRefresh),
        response: responses(202, BoardResults, [
          'board_not_found',
          'database_unreachable',
          'parameter_invalid',
          'body_too_large',
          'cost_limit_exceeded',
        ]),
      },
    },
    async (request, reply) => {
      const results = await refreshBoard(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(202).send(presentTileResults(results))
    },
  )

  api.post(
    '/api/boards/:shortId/results',
    {
      ...optionalBody,
      config: { scope: 'read:boards', ...optionalBody.config },
      schema: {
        operationId: 'boards.results',
        tags,
        summary: 'Read which results a board shows',
        description:
          'Returns the state of every tile that shows a query, for the given values of the board’s parameters, and the run whose result it shows. It runs nothing. Retrieve a result with `GET /api/runs/{runId}/result`.',
        params: Params,
        body: unnamed(GivenBoardValues),
        response: responses(200, BoardResults, ['board_not_found', 'parameter_invalid', 'body_too_large']),
      },
    },
    async (request) =>
      presentTileResults(await readBoardResults(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.get(
    '/api/boards/:shortId/image.png',
    {
      config: { scope: 'read:boards' },
      schema: {
        operationId: 'boards.image',
        tags,
        summary: 'Draw a board',
        description:
          'Returns a PNG image of the board with its stored results, for the given values of its parameters. It runs nothing. The `ETag` stays the same until the board or a result changes.',
        params: Params,
        querystring: Type.Object(
          {
            tab: Type.Optional(Type.String({ description: 'The id of the tab to draw. By default the first.', examples: ['tab_2m4k'] })),
            parameters: Type.Optional(ValuesInUrl),
          },
          { additionalProperties: ValueInUrl },
        ),
        headers: Type.Object({
          'if-none-match': Type.Optional(Type.String({ description: 'The `ETag` of the copy you have.', examples: ['"9b2c81d4"'] })),
        }),
        response: {
          ...responses(200, PublishedBoard, ['board_not_found', 'parameter_invalid']),
          200: {
            description: 'The image.',
            content: { 'image/png': { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) } },
          },
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const { tab: tabId, parameters: _, ...values } = request.query
      const valuesInUrl = values as Record<string, string | string[]>
      const image = await boardImage(callerOf(request), { ...request.params, valuesInUrl, ...(tabId !== undefined && { tabId }) })
      return sendImage(request, reply, { tag: image.tag, contentType: 'image/png', cacheControl: 'private, no-cache', read: image.png })
    },
  )
}
