import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ComparedResults, compareKeptResults } from '../domain/history/compare/compare-results.ts'
import type { QueryServices } from '../domain/services.ts'
import { callerOf } from './authenticate.ts'
import { presentKeptResult } from './present-history.ts'
import { untilDisconnect } from './until-disconnect.ts'

/** Compares two kept results and streams the changed rows. Stops when the client disconnects. */
export async function sendComparison(
  services: QueryServices,
  request: FastifyRequest,
  reply: FastifyReply,
  input: { shortId: string; from: string; to: string; keyColumns?: string[]; format?: 'json' | 'jsonl' },
) {
  const { format = 'json', ...which } = input
  const compared = await untilDisconnect(reply, (signal) => compareKeptResults(services, callerOf(request), { ...which, signal }))
  if (!compared) return reply
  const pieces = Readable.from(format === 'json' ? asJson(compared) : asLines(compared), { objectMode: false })
  // A generator that never started would not close it.
  pieces.once('close', () => void compared.close())
  reply.headers({
    'cache-control': 'private, no-store',
    'querypost-key-columns': JSON.stringify(compared.keyColumns).replaceAll(/[^\x20-\x7e]/g, escaped),
    'querypost-key-choice': compared.keyChoice,
  })
  return reply.type(format === 'json' ? 'application/json; charset=utf-8' : 'application/jsonl; charset=utf-8').send(pieces)
}

/** Headers are ASCII. */
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

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
