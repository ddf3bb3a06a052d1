import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { isBehindPooler } from './pooler.ts'
import { preparedMark } from './prepared.ts'

/**
 * Wake-ups between processes that share a store. A wake-up only says that there is something to look at. The truth is in the tables,
 * and listeners also poll from time to time, so a lost wake-up only costs time.
 */
export interface Wakeups {
  /** Wakes all listeners of the channel in every process. The store calls it when a statement that `wakes` them is committed. */
  wake(channel: WakeupChannel): void
  /** Returns a function that stops listening. */
  listen(channel: WakeupChannel, onWake: OnWake, options?: ListenOptions): () => void
}

/** `isTaken`: a worker of the process that created the work has been woken as well, and looks for it first. */
export type OnWake = (wakeup: { isTaken: boolean }) => void

export interface ListenOptions {
  /** Whether the listener is a worker that claims what it finds. */
  takesWork?: boolean
}

/** The connection that stays open while the process runs. The server releases its locks at once when the process dies. */
export interface StoreSession {
  /** Returns whether this session has the lock now. */
  lock(key: readonly [number, number]): Promise<boolean>
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
  'report_jobs',
  'report_deliveries',
  'slack_questions',
  'archive_jobs',
  'change_feeds',
  'history_fills',
  // Woken only when this process has a new session, and has to take its locks again.
  'sessions',
] as const
export type WakeupChannel = (typeof wakeupChannels)[number]

const markStart = '/* wakes '

/**
 * Marks a statement that creates work: when it is committed and has changed something, the listeners of the channels are woken
 * (store-dialect.ts). To the database the mark is a comment.
 */
export const wakes = (...channels: WakeupChannel[]): RawBuilder<unknown> => sql.raw(`${markStart}${channels.join(' ')} */`)

/** The channels named in a statement's text. */
export function channelsOf(text: string): WakeupChannel[] {
  const channels: WakeupChannel[] = []
  for (let at = text.indexOf(markStart); at >= 0; at = text.indexOf(markStart, at + 1)) {
    const names = text.slice(at + markStart.length, text.indexOf(' */', at))
    channels.push(...(names.split(' ') as WakeupChannel[]))
  }
  return channels
}

export interface LocalWakeups extends Wakeups {
  wake(channel: WakeupChannel, isTaken?: boolean): void
  /** Whether a worker of this process listens. */
  hasWorker(channel: WakeupChannel): boolean
}

/** Wake-ups within one process, which is all the embedded store needs. */
export function localWakeups(): LocalWakeups {
  const listeners = new Map<WakeupChannel, Map<OnWake, ListenOptions>>()
  const listenersOf = (channel: WakeupChannel) => listeners.get(channel) ?? new Map<OnWake, ListenOptions>()
  return {
    wake(channel, isTaken = false) {
      for (const onWake of listenersOf(channel).keys()) onWake({ isTaken })
    },
    listen(channel, onWake, options = {}) {
      const ofChannel = listenersOf(channel)
      listeners.set(channel, ofChannel.set(onWake, options))
      return () => void ofChannel.delete(onWake)
    },
    hasWorker: (channel) => [...listenersOf(channel).values()].some(({ takesWork = false }) => takesWork),
  }
}

const topic = 'querypost_wakeup'
const reopenMs = 1000
/** Follows the channel in a notification about work that a worker of the sender looks for first. */
const taken = 'taken'

/** A notification leaves nothing to lose in a crash, so its commit need not wait for the disk. The setting ends with the statement. */
const notifyText = `${preparedMark}
  select set_config('synchronous_commit', 'off', true), pg_notify($1, payload) from unnest($2::text[]) as payload`

/**
 * Wake-ups across processes, with LISTEN and NOTIFY. Listening uses a separate connection. When it is lost, it is reopened and all
 * listeners are woken, because they may have missed something.
 */
export async function serverWakeups(options: {
  /** Must not lead to a pooler of transactions. */
  url: string
  pool: Pick<pg.Pool, 'query'>
  /** Whether a connection of the pool has this server process. Its notifications come from here, where the listeners were woken already. */
  isOwnBackend?(processId: number): boolean
  clock: Clock
  log: Log
}): Promise<Wakeups & { session: StoreSession; close(): Promise<void> }> {
  const { pool, clock, log } = options
  const local = localWakeups()
  const closing = new AbortController()
  let client: pg.Client | undefined
  let reopening = Promise.resolve()

  async function open() {
    const next = new pg.Client({ connectionString: options.url, application_name: 'querypost wake-ups', keepAlive: true })
    next.on('error', (error) => {
      log.warn({ err: error }, 'wake-up connection lost')
      if (client !== next || closing.signal.aborted) return
      client = undefined
      reopening = reopen()
    })
    next.on('notification', ({ processId, payload = '' }) => {
      const [channel, state] = payload.split(' ')
      if (!options.isOwnBackend?.(processId)) local.wake(channel as WakeupChannel, state === taken)
    })
    await next.connect()
    await next.query(`listen ${topic}`)
    client = next
    return next
  }

  async function reopen() {
    while (!closing.signal.aborted) {
      try {
        await open()
        for (const channel of wakeupChannels) local.wake(channel)
        return
      } catch (error) {
        log.warn({ err: error }, 'wake-up connection failed, retrying')
        await clock.sleep(reopenMs, closing.signal)
      }
    }
  }

  /**
   * The server serializes commits that notify, so notifications are merged under load: while one is in flight, all further requests
   * become a single statement after it. So do those of one transaction, which come one by one.
   */
  const requested = new Set<WakeupChannel>()
  let isSending = false
  async function send(channel: WakeupChannel) {
    requested.add(channel)
    if (isSending) return
    isSending = true
    await Promise.resolve()
    while (requested.size > 0) {
      const payloads = [...requested].map((channel) => (local.hasWorker(channel) ? `${channel} ${taken}` : channel))
      requested.clear()
      await pool.query(notifyText, [topic, payloads]).catch((error: unknown) => log.warn({ err: error }, 'wake-up not sent'))
    }
    isSending = false
  }

  const session = await open()
  if (await isBehindPooler(session)) {
    log.warn('connected through a pooler: unless it pools sessions, set DATABASE_DIRECT_URL to the address of PostgreSQL itself')
  }
  return {
    wake(channel) {
      local.wake(channel)
      void send(channel)
    },
    listen: local.listen,
    session: {
      async lock(key) {
        if (!client) return false
        const { rows } = await client.query<{ isLocked: boolean }>('select pg_try_advisory_lock($1, $2) as "isLocked"', [...key])
        return rows[0]!.isLocked
      },
    },
    async close() {
      closing.abort()
      await reopening
      await client?.end().catch(() => {})
    },
  }
}
