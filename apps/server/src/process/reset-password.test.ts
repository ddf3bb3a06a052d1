import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyTemplate } from '../../testing/store/copy-template.ts'
import { systemClock } from '../ports/clock.ts'
import { secureRandom } from '../ports/random.ts'
import { readConfig } from '../settings/config.ts'
import { resetPasswordOnce } from './reset-password.ts'

let dataDirectory: string

beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'querypost-reset-'))
})
afterAll(() => rm(dataDirectory, { recursive: true, force: true }))

test('rejects an address without an account', async () => {
  const config = readConfig({ DATABASE_URL: await copyTemplate(inject('postgresUrl')), DATA_DIR: dataDirectory })
  const reset = resetPasswordOnce({ config, email: 'nobody@localhost', clock: systemClock, random: secureRandom, processId: process.pid })
  await expect(reset).rejects.toThrow('There is no account with the e-mail address nobody@localhost.')
})
