import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ComparedResults, compareKeptResults } from '../domain/history/compare/compare-results.ts'
import type { QueryServices } from '../domain/services.ts'
import { callerOf } from './authenticate.ts'
import { asciiJson } from './ascii-json.ts'
import { clientGone, clientLeft } from './client-gone.ts'
import { presentKeptResult } from './present-history.ts'

/** Compares two kept results and streams the changed rows. Stops when the client disconnects. */
export async function sendComparison(
  services: QueryServices,
  request: FastifyRequest,
  reply: FastifyReply,
  input: { shortId: string; from: string; to: string; keyColumns?: string[]; format?: 'json' | 'jsonl' },
) {
  const gone = clientGone(reply)
  const { format = 'json', ...which } = input
  let compared: ComparedResults
  try {
    compared = await compareKeptResults(services, callerOf(request), { ...which, signal: gone })
  } catch (error) {
    // Stopping because the client disconnected is not a failure.
    if (gone.aborted) return reply.code(clientLeft).send()
    throw error
  }
  const pieces = Readable.from(format === 'json' ? asJson(compared) : asLines(compared), { objectMode: false })
  // A generator that never started would not close it.
  pieces.once('close', () => void compared.close())
  reply.headers({
    'cache-control': 'private, no-store',
    'querypost-key-columns': asciiJson(compared.keyColumns),
    'querypost-key-choice': compared.keyChoice,
  })
  return reply.type(format === 'json' ? 'application/json; charset=utf-8' : 'application/jsonl; charset=utf-8').send(pieces)
}

async function* asLines({ changes }: ComparedResults): AsyncGenerator<string> {
  for await (const change of changes()) yield `${change}\n`
}

async function* asJson(compared: ComparedResults): AsyncGenerator<string> {
  const { from, to, keyColumns, keyChoice, isKeyUnique, columns, added, removed, changed, unchanged } = compared
  const summary = { from: presentKeptResult(from), to: presentKeptResult(to), keyColumns, keyChoice, isKeyUnique, columns, added, removed, changed, unchanged }
  yield `${JSON.stringify(summary).slice(0, -1)},"rows":[`
  let separator = ''
  for await (const change of compared.changes()) {
    yield separator + change
    separator = ','
  }
  yield ']}'
}
