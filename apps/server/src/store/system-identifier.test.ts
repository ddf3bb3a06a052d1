import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { crc32c, setSystemIdentifier } from './system-identifier.ts'

test('computes the checksum of PostgreSQL', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe306_9283)
})

test('leaves a folder alone that is not a store', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-identifier-'))
  await mkdir(path.join(folder, 'global'))
  await writeFile(path.join(folder, 'global/pg_control'), Buffer.alloc(8192, 1))
  await expect(setSystemIdentifier(folder, 1n)).rejects.toThrow('global/pg_control has no valid checksum.')
  await rm(folder, { recursive: true })
})
