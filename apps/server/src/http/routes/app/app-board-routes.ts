import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getVersion, listVersions, restoreVersion } from '../../../domain/boards/board-history.ts'
import { getImage, storeImage } from '../../../domain/boards/board-images.ts'
import { readBoardResults } from '../../../domain/boards/board-results.ts'
import {
  createBoard,
  deleteBoard,
  duplicateBoard,
  editBoard,
  getBoard,
  withReferences,
} from '../../../domain/boards/boards.ts'
import { readShortResults } from '../../../domain/boards/read-short-results.ts'
import { findBoards } from '../../../domain/boards/find-boards.ts'
import { boardExportFormats, boardExportTypes, exportBoard } from '../../../domain/boards/export-board.ts'
import { refreshBoard } from '../../../domain/boards/refresh-board.ts'
import { uploadTooLarge } from '../../../domain/databases/store-upload.ts'
import { makeShortResults } from '../../../domain/results/short-results.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { type Board as StoredBoard, boardLimits, imageContentTypes } from '../../../model/board.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { etagOf, readVersion, requireVersion } from '../../if-match.ts'
import { binaryResponse, fileBody, noBody, noContent } from '../../page-responses.ts'
import {
  presentBoard,
  presentBoardVersion,
  presentBoardVersionInFull,
  presentListedBoard,
  presentReferenceSummary,
  presentTileResults,
} from '../../present-board.ts'
import { closed, listPage, NotModified, oneOf, PageQuery } from '../../schemas.ts'
import {
  Board,
  BoardChange,
  BoardDraft,
  BoardImage,
  BoardResults,
  BoardVersion,
  BoardVersionInFull,
  GivenBoardDescription,
  GivenBoardValues,
  GivenTileSizes,
  GivenRefresh,
  ListedBoard,
  NewBoard,
  ShortResults,
} from '../../schemas/board-schemas.ts'
import { attachment } from '../../send-download.ts'
import { sendImage } from '../../send-image.ts'
import { sendShortResults } from '../../send-short-results.ts'
import type { Api } from '../../typed.ts'
import { abortOnDisconnect, acceptFiles, uploadOf } from '../../uploads.ts'
import { completeBoard } from '../../given-board.ts'
import { readGivenValues } from '../../given-parameters.ts'

const Params = Type.Object({ shortId: Type.String() })
const ListQuery = Type.Object(
  {
    ...PageQuery.properties,
    folder: Type.Optional(Type.String({ description: 'The id of a folder, or `none` for boards in no folder.' })),
  },
  closed,
)
const VersionParams = Type.Object({ shortId: Type.String(), version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) })

/** By default a PDF. `values` is a JSON object with the values of the board's parameters. */
const ExportQuery = Type.Object({ format: Type.Optional(oneOf(boardExportFormats)), values: Type.Optional(Type.String({ maxLength: 20_000 })) }, closed)

/** Boards for the web app. */
export function appBoardRoutes(api: Api, services: AgentServices): void {
  const shortResults = makeShortResults(services)

  async function present(request: FastifyRequest, reply: FastifyReply, board: StoredBoard) {
    reply.header('etag', etagOf(board))
    return presentBoard(await withReferences(services, callerOf(request), board), services)
  }

  api.get(
    '/app/api/boards',
    { schema: { querystring: ListQuery, response: { 200: listPage(ListedBoard) } } },
    async (request) => {
      const page = await findBoards(services, callerOf(request), request.query)
      return { ...page, items: page.items.map((board) => presentListedBoard(board, services)) }
    },
  )

  api.post(
    '/app/api/boards',
    { schema: { body: NewBoard, response: { 201: Board } } },
    async (request, reply) => {
      const board = await createBoard(services, callerOf(request), completeBoard(request.body))
      return reply.code(201).send(await present(request, reply, board))
    },
  )

  api.post(
    '/app/api/boards/draft',
    { schema: { body: GivenBoardDescription, response: { 200: BoardDraft } } },
    async (request, reply) => {
      const { description } = request.body
      // Loaded on demand, like the model agent.
      const { draftBoard } = await import('../../../domain/boards/draft/draft-board.ts')
      const draft = await draftBoard(services, callerOf(request), { description, signal: abortOnDisconnect(reply) })
      return { ...draft, references: draft.references.map(presentReferenceSummary) }
    },
  )

  api.get('/app/api/boards/:shortId', { schema: { params: Params, response: { 200: Board } } }, async (request, reply) =>
    present(request, reply, await getBoard(services, callerOf(request), request.params.shortId)),
  )

  api.patch(
    '/app/api/boards/:shortId',
    { schema: { params: Params, body: BoardChange, response: { 200: Board } } },
    async (request, reply) => {
      const key = { ...request.params, version: requireVersion(request) }
      return present(request, reply, await editBoard(services, callerOf(request), key, completeBoard(request.body)))
    },
  )

  api.delete('/app/api/boards/:shortId', { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteBoard(services, callerOf(request), { ...request.params, version: requireVersion(request) })
    return reply.code(204).send()
  })

  api.post(
    '/app/api/boards/:shortId/duplicate',
    { ...noBody, schema: { params: Params, response: { 201: Board } } },
    async (request, reply) => {
      const board = await duplicateBoard(services, callerOf(request), request.params.shortId)
      return reply.code(201).send(await present(request, reply, board))
    },
  )

  api.get(
    '/app/api/boards/:shortId/versions',
    { schema: { params: Params, querystring: PageQuery, response: { 200: listPage(BoardVersion) } } },
    async (request) => {
      const page = await listVersions(services, callerOf(request), { ...request.params, ...request.query })
      return { ...page, items: page.items.map(presentBoardVersion) }
    },
  )

  api.get(
    '/app/api/boards/:shortId/versions/:version',
    { schema: { params: VersionParams, response: { 200: BoardVersionInFull } } },
    async (request) => {
      const { shortId } = request.params
      const number = Number(request.params.version)
      return presentBoardVersionInFull(await getVersion(services, callerOf(request), { shortId, number }))
    },
  )

  api.post(
    '/app/api/boards/:shortId/versions/:version/restore',
    { ...noBody, schema: { params: VersionParams, response: { 200: Board } } },
    async (request, reply) => {
      const { shortId } = request.params
      const number = Number(request.params.version)
      const version = readVersion(request)
      const restored = await restoreVersion(services, callerOf(request), { shortId, number, ...(version && { version }) })
      return present(request, reply, restored)
    },
  )

  api.post(
    '/app/api/boards/:shortId/results',
    {
      ...optionalBody,
      config: { ...optionalBody.config, isAllowedWhileViewing: true },
      schema: { params: Params, body: GivenBoardValues, response: { 200: BoardResults } },
    },
    async (request) =>
      presentTileResults(await readBoardResults(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.post(
    '/app/api/boards/:shortId/short-results',
    { config: { isAllowedWhileViewing: true }, schema: { params: Params, body: GivenTileSizes, response: { 200: ShortResults } } },
    async (request, reply) => {
      const found = await readShortResults({ ...services, shortResults }, callerOf(request), { ...request.params, ...request.body })
      return sendShortResults(request, reply, found)
    },
  )

  api.post(
    '/app/api/boards/:shortId/refresh',
    { ...optionalBody, schema: { params: Params, body: GivenRefresh, response: { 202: BoardResults } } },
    async (request, reply) => {
      const results = await refreshBoard(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(202).send(presentTileResults(results))
    },
  )

  api.get(
    '/app/api/boards/:shortId/export',
    { schema: { params: Params, querystring: ExportQuery, response: binaryResponse(...Object.values(boardExportTypes)) } },
    async (request, reply) => {
      const { format = 'pdf', values } = request.query
      const file = await exportBoard(services, callerOf(request), { ...request.params, format, parameters: readGivenValues(values) })
      reply.headers({ 'content-disposition': attachment(file.fileName), 'cache-control': 'private, no-store' })
      return reply.type(file.contentType).send(file.bytes)
    },
  )

  imageRoutes(api, services)
}

function imageRoutes(api: Api, services: AgentServices): void {
  api.get(
    '/app/api/board-images/:id',
    {
      schema: {
        params: Type.Object({ id: Type.String() }),
        response: { ...binaryResponse(...imageContentTypes), 304: NotModified },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const image = await getImage(services, callerOf(request), id)
      return sendImage(request, reply, {
        tag: id,
        contentType: image.contentType,
        // An image never changes.
        cacheControl: 'private, max-age=31536000, immutable',
        read: async () => image.bytes,
      })
    },
  )

  api.register(async (uploads: Api) => {
    acceptFiles(uploads)
    uploads.post('/app/api/board-images', { ...fileBody, schema: { response: { 201: BoardImage } } }, async (request, reply) => {
      const pieces: Buffer[] = []
      let sizeBytes = 0
      for await (const piece of uploadOf(request, boardLimits.imageBytes)) {
        sizeBytes += (piece as Buffer).length
        if (sizeBytes > boardLimits.imageBytes) throw uploadTooLarge(boardLimits.imageBytes)
        pieces.push(piece as Buffer)
      }
      return reply.code(201).send(await storeImage(services, callerOf(request), Buffer.concat(pieces)))
    })
  })
}
