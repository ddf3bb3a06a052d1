import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { changePatch } from '../domain/history/feed/change-patch.ts'
import { compareChange, openChange } from '../domain/history/feed/reference-changes.ts'
import type { QueryServices } from '../domain/services.ts'
import type { Caller } from '../model/caller.ts'
import { asciiJson } from './ascii-json.ts'
import { untilDisconnect } from './until-disconnect.ts'
import { abortOnDisconnect } from './uploads.ts'

interface ChangeKey {
  shortId: string
  number: number
}

/** Streams the changed rows of a change as JSON lines. */
export async function sendChangedRows(services: QueryServices, caller: Caller, reply: FastifyReply, key: ChangeKey) {
  const opened = await openChange(services, caller, key)
  const compared = await untilDisconnect(reply, (signal) => compareChange(services, opened, signal))
  if (!compared) return reply
  const { keyColumns } = opened.change
  reply.header('querypost-key-columns', asciiJson(keyColumns))
  return sendLines(reply, compared.rows(), () => compared.close())
}

/** Streams the exact difference of the two documents of a change as JSON lines. */
export async function sendPatch(services: QueryServices, caller: Caller, reply: FastifyReply, key: ChangeKey) {
  const opened = await openChange(services, caller, key)
  const lines = changePatch(services, opened, abortOnDisconnect(reply))
  // A result that cannot be read is reported as an error, not as a response that ends early.
  const first = await lines.next()
  async function* all(): AsyncGenerator<string> {
    if (!first.done) yield JSON.stringify(first.value)
    for await (const line of lines) yield JSON.stringify(line)
  }
  return sendLines(reply, all(), async () => {})
}

function sendLines(reply: FastifyReply, lines: AsyncIterable<string>, close: () => Promise<void>) {
  async function* ended(): AsyncGenerator<string> {
    for await (const line of lines) yield `${line}\n`
  }
  const pieces = Readable.from(ended(), { objectMode: false })
  // A generator that never started would not close it.
  pieces.once('close', () => void close())
  return reply.header('cache-control', 'private, no-store').type('application/jsonl; charset=utf-8').send(pieces)
}
