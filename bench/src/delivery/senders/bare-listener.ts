/**
 * The ceiling of latency: for each notification it reads the event and posts it at once. It claims nothing and records nothing. Runs in a
 * child process.
 */
import pg from 'pg'
import { answerRequests, startChild } from '../../load/child.ts'
import { makeSignedPost, type SignedPost } from '../signed-post.ts'
import type { SenderOptions } from './sender.ts'

export type BareListenerRequest = Pick<SenderOptions, 'endpoints' | 'authority'> & { storeUrl: string }

/** The payload of a notification is the index of the endpoint and the event's id. */
export const bareTopic = 'bench_published'

/** As many connections as a worker reads its events with, and opens to a healthy endpoint. */
const storeConnections = 8
const connectionsEach = 32

export async function startBareListener(request: BareListenerRequest): Promise<{ stop(): Promise<void> }> {
  const child = startChild<BareListenerRequest, true>(new URL(import.meta.url))
  await child.ask(request)
  return { stop: async () => child.stop() }
}

async function listen({ endpoints, authority, storeUrl }: BareListenerRequest): Promise<true> {
  const post = makeSignedPost({ endpoints, connectionsEach, authority })
  const pool = new pg.Pool({ connectionString: storeUrl, max: storeConnections })
  const client = new pg.Client(storeUrl)
  client.on('notification', ({ payload }) => void send(pool, post, payload!))
  await client.connect()
  await client.query(`listen ${bareTopic}`)
  return true
}

async function send(pool: pg.Pool, post: SignedPost, payload: string): Promise<void> {
  const [endpoint, eventId] = payload.split(' ') as [string, string]
  const { rows } = await pool.query<{ body: string }>({
    name: 'event',
    text: 'select body::text as body from webhook_events where id = $1',
    values: [eventId],
  })
  await post({ endpoint: Number(endpoint), eventId, body: rows[0]!.body })
}

if (process.send && process.argv[1] === import.meta.filename) answerRequests(listen)
