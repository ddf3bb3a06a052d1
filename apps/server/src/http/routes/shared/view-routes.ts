import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getImage } from '../../../domain/boards/board-images.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { readViewedItem } from '../../../domain/sharing/shared-item.ts'
import { openViewedResult, readViewResults, refreshForViewer, requireDownload } from '../../../domain/sharing/view-results.ts'
import { makeViewedBoardFiles, viewedBoardTypes } from '../../../domain/sharing/viewed-board.ts'
import { makeViewedImages } from '../../../domain/sharing/viewed-image.ts'
import { imageContentTypes } from '../../../model/board.ts'
import type { Viewer } from '../../../model/sharing/public-link.ts'
import { findOrganization } from '../../../store/people/organizations-table.ts'
import { optionalBody } from '../../body-parsers.ts'
import { binaryResponse } from '../../page-responses.ts'
import { presentSharedResults, presentSharedView } from '../../present-sharing.ts'
import { NotModified } from '../../schemas.ts'
import { BoardDownloadQuery, DownloadQuery, GivenViewerRefresh, GivenViewerValues, SharedResults, SharedView, ValuesQuery } from '../../schemas/sharing-schemas.ts'
import { attachment, contentTypes, sendDownload } from '../../send-download.ts'
import { sendImage } from '../../send-image.ts'
import { sendResult } from '../../send-result.ts'
import type { Api } from '../../typed.ts'
import { readGivenValues } from '../../given-parameters.ts'

/**
 * What viewers read: the page, the states of its tiles, and their stored results. The same routes serve public links and embedded pages;
 * they differ only in how `openViewer` finds out what the viewer may see. Viewers never name a run, a query or an image: all of them
 * follow from the tile and the values.
 */
export function viewRoutes(
  api: Api,
  services: QueryServices,
  options: {
    /** For example `/public/api/links/:token`. */
    prefix: string
    openViewer(request: FastifyRequest): Promise<Viewer>
    /** When a viewer opens the page. */
    onOpened(viewer: Viewer): Promise<void>
  },
): void {
  const { prefix, openViewer } = options
  const drawResult = makeViewedImages(services)
  const openBoardFile = makeViewedBoardFiles(services)
  const key = prefix.slice(prefix.indexOf(':') + 1)
  const Params = Type.Object({ [key]: Type.String() })
  const TileParams = Type.Object({ [key]: Type.String(), tileId: Type.String() })

  api.get(prefix, { schema: { hide: true, params: Params, response: { 200: SharedView } } }, async (request) => {
    const viewer = await openViewer(request)
    const item = await readViewedItem(services, viewer)
    const palette = (await findOrganization(services.db, viewer.organizationId))?.chartPalette ?? null
    await options.onOpened(viewer)
    return presentSharedView(viewer, item, { chartPalette: palette, now: services.clock.now() })
  })

  api.post(
    `${prefix}/results`,
    { ...optionalBody, schema: { hide: true, params: Params, body: GivenViewerValues, response: { 200: SharedResults } } },
    async (request) => {
      const viewer = await openViewer(request)
      return presentSharedResults(await readViewResults(services, viewer, request.body.parameters ?? {}))
    },
  )

  api.post(
    `${prefix}/refresh`,
    { ...optionalBody, schema: { hide: true, params: Params, body: GivenViewerRefresh, response: { 202: SharedResults } } },
    async (request, reply) => {
      const viewer = await openViewer(request)
      const results = await refreshForViewer(services, viewer, request.body)
      return reply.code(202).send(presentSharedResults(results))
    },
  )

  api.get(
    `${prefix}/tiles/:tileId/result`,
    {
      schema: {
        hide: true,
        params: TileParams,
        querystring: ValuesQuery,
        response: { ...binaryResponse('application/json'), 304: NotModified },
      },
    },
    async (request, reply) => {
      const viewer = await openViewer(request)
      const { result } = await openViewedResult(services, viewer, {
        tileId: request.params['tileId']!,
        parameters: readGivenValues(request.query.values),
      })
      return sendResult(request, reply, result)
    },
  )

  api.get(
    `${prefix}/tiles/:tileId/download`,
    {
      schema: {
        hide: true,
        params: TileParams,
        querystring: DownloadQuery,
        response: binaryResponse(contentTypes.csv, contentTypes.xlsx, 'image/png'),
      },
    },
    async (request, reply) => {
      const viewer = await openViewer(request)
      const { format, values } = request.query
      requireDownload(viewer, format)
      const tile = { tileId: request.params['tileId']!, parameters: readGivenValues(values) }
      const viewed = await openViewedResult(services, viewer, tile)
      const { title, run, result } = viewed
      if (format === 'png') {
        const png = await drawResult(viewer.organizationId, viewed)
        return reply.header('content-disposition', attachment(`${title}.png`)).type('image/png').send(png)
      }
      return sendDownload(request, reply, { services, run: { ...run, references: [{ title }] }, result, format, isRaw: false })
    },
  )

  api.get(
    `${prefix}/download`,
    { schema: { hide: true, params: Params, querystring: BoardDownloadQuery, response: binaryResponse(...Object.values(viewedBoardTypes)) } },
    async (request, reply) => {
      const viewer = await openViewer(request)
      const { format, values, tab } = request.query
      const file = await openBoardFile(viewer, { format, tabId: tab, parameters: readGivenValues(values) })
      return reply
        .headers({ 'content-disposition': attachment(file.fileName), 'cache-control': 'private, no-store' })
        .type(file.contentType)
        .send(file.bytes)
    },
  )

  api.get(
    `${prefix}/tiles/:tileId/image`,
    { schema: { hide: true, params: TileParams, response: { ...binaryResponse(...imageContentTypes), 304: NotModified } } },
    async (request, reply) => {
      const viewer = await openViewer(request)
      const tileId = request.params['tileId']!
      const { tiles } = await readViewedItem(services, viewer)
      const imageId = tiles.find((tile) => tile.id === tileId)?.imageId
      if (imageId === undefined) throw new Refusal('board_image_not_found', 'This tile has no image.')
      const { contentType, bytes } = await getImage(services, viewer, imageId)
      return sendImage(request, reply, { tag: imageId, contentType, cacheControl: 'private, no-cache', read: async () => bytes })
    },
  )
}
