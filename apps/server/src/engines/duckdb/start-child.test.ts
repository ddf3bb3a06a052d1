import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../../testing/engines/without-descriptors.ts', import.meta.url))

test('without a file descriptor left, processes are not started, and the service goes on', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'descriptors-'))
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, program, folder])
  const reason = 'A process could not be started: too many files are open.'
  expect(JSON.parse(stdout)).toEqual({
    endings: { statement: reason, job: `The job could not be done: ${reason}`, import: reason },
    left: [],
  })
  await rm(folder, { recursive: true })
})
