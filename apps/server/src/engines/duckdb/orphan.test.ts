import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../../testing/is-alive.ts'
import { conformanceSql, rowsSql } from '../../../testing/engines/engine-conformance.ts'
import { openFixture, type Fixture } from '../../../testing/engines/duckdb-fixture.ts'

const parentScript = fileURLToPath(new URL('../../../testing/engines/duckdb-orphan-parent.ts', import.meta.url))

/** A killed service leaves nothing behind: a real process runs an engine and is killed without a chance to clean up. */
describe('killing the service', () => {
  let fixture: Fixture

  afterEach(async () => {
    await fixture.engine.close()
    await fixture.release()
  })

  it.each([
    ['while nothing runs', 'select 1', 'idle'],
    ['while a statement computes', conformanceSql.endless, 'computing'],
    ['while a result is waiting to be read', rowsSql(9), 'answering'],
  ])('ends its engine processes %s', async (_, sql, state) => {
    fixture = await openFixture(conformanceSql.fixture)
    const parent = spawn(process.execPath, [parentScript, 'duckdb', fixture.file, fixture.temporaryDirectory, sql, state], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve) => void parent.stdout.once('data', (text) => resolve(Number(text))))
    expect(isAlive(pid)).toBe(true)
    if (state === 'computing') await untilCpuUsed(pid)
    parent.kill('SIGKILL')
    // If the process survives, the test times out here.
    while (isAlive(pid)) await yieldToEventLoop()
    expect(await readdir(fixture.temporaryDirectory)).toEqual([])
  })
})

const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve))

async function untilCpuUsed(pid: number): Promise<void> {
  if (!existsSync(`/proc/${pid}/stat`)) return
  const ticks = async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11])
  }
  const start = await ticks()
  while ((await ticks()) < start + 10) await yieldToEventLoop()
}
