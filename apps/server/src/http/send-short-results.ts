import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ShortResultOfTile } from '../domain/boards/read-short-results.ts'
import type { TileResult } from '../model/board.ts'
import { presentTileResults } from './present-board.ts'
import { acceptsGzip } from './accepted-encodings.ts'

/** Short results are JSON already, and are sent as they are. */
export async function sendShortResults(
  request: FastifyRequest,
  reply: FastifyReply,
  { states, shortResults }: { states: TileResult[]; shortResults: ShortResultOfTile[] },
) {
  const written = shortResults.map(({ tileId, runId, result }) => `${JSON.stringify({ tileId, runId }).slice(0, -1)},"result":${result.toString()}}`)
  const json = `${JSON.stringify(presentTileResults(states)).slice(0, -1)},"shortResults":[${written.join(',')}]}`
  reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding').header('cache-control', 'private, no-store')
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(json)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(json, { level: constants.Z_BEST_SPEED }))
}
