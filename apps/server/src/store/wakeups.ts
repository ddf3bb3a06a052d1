import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/**
 * Wake-ups between the processes that share a store. A wake-up says "look", never what: truth is in the tables, and whoever
 * listens also looks by itself now and then, so a lost one costs time and nothing else.
 */
export interface Wakeups {
  /** Wakes all listeners of the channel in every process. The store calls it, when a statement that `wakes` them is committed. */
  wake(channel: WakeupChannel): void
  /** Returns a function that ends the listening. */
  listen(channel: WakeupChannel, look: () => void): () => void
}

export const wakeupChannels = [
  'runs',
  'run_stops',
  'run_ends',
  'deliveries',
  'agent_runs',
  'agent_run_stops',
  'chats',
  'mail',
  'notifications',
] as const
export type WakeupChannel = (typeof wakeupChannels)[number]

const markStart = '/* wakes '

/**
 * Part of a statement that gives somebody work to do: when it is committed, and it changed something, all who listen to the channels
 * are woken (store-dialect.ts). To the database it is a comment.
 */
export const wakes = (...channels: WakeupChannel[]): RawBuilder<unknown> => sql.raw(`${markStart}${channels.join(' ')} */`)

/** The channels that a statement's text names. */
export function channelsOf(text: string): WakeupChannel[] {
  const channels: WakeupChannel[] = []
  for (let at = text.indexOf(markStart); at >= 0; at = text.indexOf(markStart, at + 1)) {
    const names = text.slice(at + markStart.length, text.indexOf(' */', at))
    channels.push(...(names.split(' ') as WakeupChannel[]))
  }
  return channels
}

/** Within one process: all that the embedded store needs. */
export function localWakeups(): Wakeups {
  const looks = new Map<WakeupChannel, Set<() => void>>()
  return {
    wake(channel) {
      for (const look of looks.get(channel) ?? []) look()
    },
    listen(channel, look) {
      const ofChannel = looks.get(channel) ?? new Set()
      looks.set(channel, ofChannel.add(look))
      return () => void ofChannel.delete(look)
    },
  }
}

const topic = 'querypost_wakeup'
const reopenMs = 1000

/**
 * Across processes by LISTEN and NOTIFY. Listening takes a connection of its own; when it is lost it is opened again, and all
 * listeners look, since they may have missed something meanwhile.
 */
export async function serverWakeups(options: {
  url: string
  pool: Pick<pg.Pool, 'query'>
  clock: Clock
  log: Log
}): Promise<Wakeups & { close(): Promise<void> }> {
  const { pool, clock, log } = options
  const local = localWakeups()
  const closing = new AbortController()
  let client: pg.Client | undefined
  let reopening = Promise.resolve()

  async function open() {
    const next = new pg.Client({ connectionString: options.url, application_name: 'querypost wake-ups', keepAlive: true })
    next.on('error', (error) => {
      log.warn({ err: error }, 'the connection that listens for wake-ups was lost')
      if (client !== next || closing.signal.aborted) return
      client = undefined
      reopening = reopen()
    })
    next.on('notification', (message) => local.wake(message.payload as WakeupChannel))
    await next.connect()
    await next.query(`listen ${topic}`)
    client = next
  }

  async function reopen() {
    while (!closing.signal.aborted) {
      try {
        await open()
        for (const channel of wakeupChannels) local.wake(channel)
        return
      } catch (error) {
        log.warn({ err: error }, 'could not listen for wake-ups; trying again')
        await clock.sleep(reopenMs, closing.signal)
      }
    }
  }

  /**
   * Commits that notify wait for one another in the server, so under load one notification speaks for many: while one is on its
   * way, one more follows it, however often that is asked for.
   */
  const sending = new Map<WakeupChannel, { isAgain: boolean }>()
  async function send(channel: WakeupChannel) {
    const underWay = sending.get(channel)
    if (underWay) {
      underWay.isAgain = true
      return
    }
    const state = { isAgain: true }
    sending.set(channel, state)
    while (state.isAgain) {
      state.isAgain = false
      await pool
        .query('select pg_notify($1, $2)', [topic, channel])
        .catch((error: unknown) => log.warn({ err: error }, 'could not send a wake-up'))
    }
    sending.delete(channel)
  }

  await open()
  return {
    wake(channel) {
      local.wake(channel)
      void send(channel)
    },
    listen: local.listen,
    async close() {
      closing.abort()
      await reopening
      await client?.end().catch(() => {})
    },
  }
}
