import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ComparedResults, compareKeptResults } from '../domain/history/compare/compare-results.ts'
import type { QueryServices } from '../domain/services.ts'
import { callerOf } from './authenticate.ts'
import { asciiJson } from './ascii-json.ts'
import { presentKeptResult } from './present-history.ts'
import { untilDisconnect } from './until-disconnect.ts'

/** Compares two kept results and streams the changed rows. Stops when the client disconnects. */
export async function sendComparison(
  services: QueryServices,
  request: FastifyRequest,
  reply: FastifyReply,
  input: { shortId: string; from: string; to: string; keyColumns?: string[]; limit?: number; format?: 'json' | 'jsonl' },
) {
  const { format = 'json', limit = Number.POSITIVE_INFINITY, ...which } = input
  const compared = await untilDisconnect(reply, (signal) => compareKeptResults(services, callerOf(request), { ...which, signal }))
  if (!compared) return reply
  const pieces = Readable.from(format === 'json' ? asJson(compared, limit) : asLines(compared, limit), { objectMode: false })
  // A generator that never started would not close it.
  pieces.once('close', () => void compared.close())
  reply.headers({
    'cache-control': 'private, no-store',
    'querypost-key-columns': asciiJson(compared.keyColumns),
    'querypost-key-choice': compared.keyChoice,
  })
  return reply.type(format === 'json' ? 'application/json; charset=utf-8' : 'application/jsonl; charset=utf-8').send(pieces)
}

async function* firstChanges({ changes }: ComparedResults, limit: number): AsyncGenerator<string> {
  if (limit === 0) return
  let count = 0
  for await (const change of changes()) {
    yield change
    count++
    if (count === limit) return
  }
}

async function* asLines(compared: ComparedResults, limit: number): AsyncGenerator<string> {
  for await (const change of firstChanges(compared, limit)) yield `${change}\n`
}

async function* asJson(compared: ComparedResults, limit: number): AsyncGenerator<string> {
  const { from, to, keyColumns, keyChoice, isKeyUnique, columns, added, removed, changed, unchanged } = compared
  const summary = { from: presentKeptResult(from), to: presentKeptResult(to), keyColumns, keyChoice, isKeyUnique, columns, added, removed, changed, unchanged }
  yield `${JSON.stringify(summary).slice(0, -1)},"rows":[`
  let separator = ''
  for await (const change of firstChanges(compared, limit)) {
    yield separator + change
    separator = ','
  }
  yield ']}'
}
