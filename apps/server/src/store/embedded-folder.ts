/**
 * The folder of the embedded PostgreSQL while it is in use.
 *
 * - A *checkpoint* writes changes from memory and the log into the table files, so that the earlier log is no longer needed.
 *   A PostgreSQL server makes checkpoints on its own. The embedded one has no process for that: its log would grow for as
 *   long as the service runs, and after a kill all of it would have to be replayed.
 * - A *copy* works like PostgreSQL's base backups: between `pg_backup_start` and `pg_backup_stop` the files are copied while
 *   they change, together with the log of that time. Opening the copy replays that log and restores the *moment* of the
 *   stop: every transaction committed by then, and nothing later. So nothing has to wait for the copy.
 *
 * No checkpoint is made during a copy, because it could remove log that the copy needs.
 */
import { constants, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Clock } from '../ports/clock.ts'

export interface EmbeddedFolder {
  checkpoint(): Promise<void>
  /** Creates `target`. `atThatMoment` runs at the moment that the copy captures, while the store serves nothing else. */
  copyTo(options: {
    target: string
    clock: Clock
    signal: AbortSignal
    atThatMoment(): Promise<void>
  }): Promise<CopyTimes>
}

/** How long other statements had to wait. */
export interface CopyTimes {
  /** For the initial checkpoint. */
  checkpointMs: number
  /** For the end of the copy, including `atThatMoment`. */
  heldMs: number
}

export function keepFolder({ pglite, folder }: { pglite: PGlite; folder: string }): EmbeddedFolder {
  let isBeingCopied = false
  const stop = `select labelfile, pg_walfile_name(lsn) as "lastSegment" from pg_backup_stop(false)`

  async function copyFiles(options: Parameters<EmbeddedFolder['copyTo']>[0]): Promise<{ last: Stopped; heldMs: number }> {
    const { target, clock, signal } = options
    await copyFolder({ folder, target, signal })
    return pglite.transaction(async (tx) => {
      const begunMs = clock.monotonicMs()
      const last = (await tx.query<Stopped>(stop)).rows[0]!
      // This file is written in place and must not be torn.
      await copyFile(path.join(folder, control), path.join(target, control))
      await options.atThatMoment()
      return { last, heldMs: clock.monotonicMs() - begunMs }
    })
  }

  return {
    async checkpoint() {
      if (!isBeingCopied) await pglite.exec('checkpoint')
    },
    async copyTo(options) {
      if (isBeingCopied) throw new Error('The store is already being copied.')
      isBeingCopied = true
      try {
        const begunMs = options.clock.monotonicMs()
        await pglite.query(`select pg_backup_start('querypost', true)`)
        const checkpointMs = options.clock.monotonicMs() - begunMs
        const { last, heldMs } = await copyFiles(options).catch(async (error: unknown) => {
          // The backup may already be over; then there is nothing to stop.
          await pglite.query(stop).catch(() => {})
          throw error
        })
        await copyLog({ folder, target: options.target, last })
        await writeFile(path.join(options.target, 'backup_label'), last.labelfile, { mode: 0o600 })
        return { checkpointMs, heldMs }
      } finally {
        isBeingCopied = false
      }
    },
  }
}

interface Stopped {
  /** Tells PostgreSQL where to start replaying the log when it opens the copy. */
  labelfile: string
  /** The stop closes this segment; nothing is written to it afterwards. */
  lastSegment: string
}

const control = 'global/pg_control'
/** Contents that PostgreSQL recreates at startup. Only the folders must exist. */
const recreated = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
const leftOut = /(^|\/)(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map|pg_internal\.init|pgsql_tmp[^/]*)(\/|$)/
const isSegment = (name: string) => /^[0-9A-F]{24}$/.test(name)

async function copyFolder(options: { folder: string; target: string; signal: AbortSignal }): Promise<void> {
  const { folder, target, signal } = options
  await mkdir(target, { mode: 0o700 })
  const walk = async (under: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, under), { withFileTypes: true })) {
      signal.throwIfAborted()
      const name = path.posix.join(under, entry.name)
      if (recreated.test(name) || leftOut.test(name) || name === control) continue
      if (under === 'pg_wal' && isSegment(entry.name)) continue
      if (entry.isDirectory()) {
        await mkdir(path.join(target, name), { mode: 0o700 })
        await walk(name)
      } else await copyIfExists(path.join(folder, name), path.join(target, name))
    }
  }
  await walk('')
}

/** A table dropped during the copy removes its files; the log records that too. */
async function copyIfExists(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function copyLog(options: { folder: string; target: string; last: Stopped }): Promise<void> {
  const { folder, target, last } = options
  const first = /\(file ([0-9A-F]{24})\)/.exec(last.labelfile)![1]!
  const names = (await readdir(path.join(folder, 'pg_wal'))).filter(
    (name) => isSegment(name) && name >= first && name <= last.lastSegment,
  )
  if (names.length !== numberOf(last.lastSegment) - numberOf(first) + 1) {
    throw new Error('The log from the time of the copy is incomplete.')
  }
  for (const name of names) {
    await copyFile(path.join(folder, 'pg_wal', name), path.join(target, 'pg_wal', name), constants.COPYFILE_FICLONE)
  }
}

/** Segments have 16 MiB; 256 of them make one log file number. */
const numberOf = (segment: string) =>
  Number.parseInt(segment.slice(8, 16), 16) * 256 + Number.parseInt(segment.slice(16), 16)
