import { existsSync, openAsBlob } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock as clock } from '../ports/clock.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { type EmbeddedFolder, keepFolder } from './embedded-folder.ts'

let home: string
let pglite: PGlite
let kept: EmbeddedFolder
const signal = new AbortController().signal
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'querypost-kept-'))
  const folder = path.join(home, 'store')
  pglite = await PGlite.create(folder, { loadDataDir: await openAsBlob(inject('pgliteImage')) })
  kept = keepFolder({ pglite, folder })
})
afterAll(async () => {
  await pglite.close()
  await rm(home, { recursive: true })
})

const redoAt = async () =>
  (await pglite.query<{ lsn: string }>('select redo_lsn::text as lsn from pg_control_checkpoint()')).rows[0]!.lsn

test('a checkpoint advances the point from which a killed process replays the log', async () => {
  const before = await redoAt()
  await pglite.exec('create table written (id integer primary key, text text not null); create table dropped (id integer)')
  await kept.checkpoint()
  expect(await redoAt()).not.toBe(before)
})

test('an interrupted copy does not affect the next one', async () => {
  const target = path.join(home, 'broken')
  const away = AbortSignal.abort(new Error('gone'))
  await expect(kept.copyTo({ target, clock, signal: away, atThatMoment: async () => {} })).rejects.toThrow('gone')
  const failing = async () => Promise.reject(new Error('no room'))
  await rm(target, { recursive: true })
  await expect(kept.copyTo({ target, clock, signal, atThatMoment: failing })).rejects.toThrow('no room')
})

test('a copy is a consistent snapshot despite concurrent writes', async () => {
  const target = path.join(home, 'copy')
  let begun = 0
  let acknowledged = 0
  let isOver = false
  const moment = { acknowledged: 0, begun: 0 }
  async function write() {
    while (!isOver) {
      begun += 1
      await pglite.query(`insert into written values ($1, repeat('x', 2000))`, [begun])
      await pglite.query(`update written set text = text || 'y' where id % 10 = $1`, [begun % 10])
      acknowledged = begun
      await pollPause()
    }
  }
  const writing = write()
  while (acknowledged < 20) await pollPause()
  const redoBefore = await redoAt()
  const copying = kept.copyTo({
    target,
    clock,
    signal,
    async atThatMoment() {
      Object.assign(moment, { acknowledged, begun })
    },
  })
  // The copy makes its own checkpoint. Another one during the copy could remove log that it needs.
  while ((await redoAt()) === redoBefore) await pollPause()
  const redoMeanwhile = await redoAt()
  await pglite.exec('drop table dropped; select pg_switch_wal()')
  await kept.checkpoint()
  expect(await redoAt()).toBe(redoMeanwhile)
  await expect(kept.copyTo({ target, clock, signal, atThatMoment: async () => {} })).rejects.toThrow('already')
  await copying
  isOver = true
  await writing

  expect(existsSync(path.join(target, 'postmaster.pid'))).toBe(false)
  const copy = await PGlite.create(target)
  const { rows } = await copy.query<{ count: number; torn: number }>(
    `select count(*)::integer as count, (count(*) filter (where rtrim(text, 'y') <> repeat('x', 2000)))::integer as torn from written`,
  )
  expect(rows[0]!.torn).toBe(0)
  expect(rows[0]!.count).toBeGreaterThanOrEqual(moment.acknowledged)
  expect(rows[0]!.count).toBeLessThanOrEqual(moment.begun)
  expect((await copy.query(`select to_regclass('dropped') as dropped`)).rows).toEqual([{ dropped: null }])
  await copy.close()
  expect(await readdir(target)).not.toContain('backup_label')
})
