/**
 * The folder of the embedded PostgreSQL while it is in use.
 *
 * - A *checkpoint* writes what is only in memory and in the log into the tables' files, so that the log before it is
 *   needed no more. PostgreSQL as a server makes one by itself now and then. Embedded it has no process for that: its
 *   log would grow for as long as the service runs, and after a kill all of it would be read again.
 * - A *copy* is taken the way PostgreSQL's own base backups are: between `pg_backup_start` and `pg_backup_stop` the
 *   files are copied while they change, and the log of that time goes with them. Whoever opens the copy replays that
 *   log, and has the *moment* of the stop: every transaction that was committed by then, and nothing later. So nobody
 *   waits for the copying.
 *
 * While a copy is taken no checkpoint is made: it could take away log that the copy needs.
 */
import { constants, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import type { Clock } from '../ports/clock.ts'

export interface EmbeddedFolder {
  checkpoint(): Promise<void>
  /** Makes `target`. `atThatMoment` happens in the moment that the copy shows: nobody else is served meanwhile. */
  copyTo(options: {
    target: string
    clock: Clock
    signal: AbortSignal
    atThatMoment(): Promise<void>
  }): Promise<CopyTimes>
}

/** How long others had to wait. */
export interface CopyTimes {
  /** For the checkpoint at the beginning. */
  checkpointMs: number
  /** For the end of the copy, and what happened in that moment. */
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
      // Written in place, and the one file that must not be torn.
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
      if (isBeingCopied) throw new Error('The store is being copied already.')
      isBeingCopied = true
      try {
        const begunMs = options.clock.monotonicMs()
        await pglite.query(`select pg_backup_start('querypost', true)`)
        const checkpointMs = options.clock.monotonicMs() - begunMs
        const { last, heldMs } = await copyFiles(options).catch(async (error: unknown) => {
          // It may be over already; then there is nothing to stop.
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
  /** Tells whoever opens the copy where the log begins that it must replay. */
  labelfile: string
  /** The stop closes it: nothing is written to it afterwards. */
  lastSegment: string
}

const control = 'global/pg_control'
/** What a running PostgreSQL makes anew; only the folders must be there. */
const madeAnew = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
const leftOut = /(^|\/)(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map|pg_internal\.init|pgsql_tmp[^/]*)(\/|$)/
const isSegment = (name: string) => /^[0-9A-F]{24}$/.test(name)

async function copyFolder(options: { folder: string; target: string; signal: AbortSignal }): Promise<void> {
  const { folder, target, signal } = options
  await mkdir(target, { mode: 0o700 })
  const walk = async (under: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, under), { withFileTypes: true })) {
      signal.throwIfAborted()
      const name = path.posix.join(under, entry.name)
      if (madeAnew.test(name) || leftOut.test(name) || name === control) continue
      if (under === 'pg_wal' && isSegment(entry.name)) continue
      if (entry.isDirectory()) {
        await mkdir(path.join(target, name), { mode: 0o700 })
        await walk(name)
      } else await copyIfThere(path.join(folder, name), path.join(target, name))
    }
  }
  await walk('')
}

/** A table that is dropped meanwhile takes its files away; the log says so too. */
async function copyIfThere(from: string, to: string): Promise<void> {
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
    throw new Error('The log of the time in which the store was copied is not whole.')
  }
  for (const name of names) {
    await copyFile(path.join(folder, 'pg_wal', name), path.join(target, 'pg_wal', name), constants.COPYFILE_FICLONE)
  }
}

/** Segments of 16 MiB, 256 of them to each of the middle numbers. */
const numberOf = (segment: string) =>
  Number.parseInt(segment.slice(8, 16), 16) * 256 + Number.parseInt(segment.slice(16), 16)
