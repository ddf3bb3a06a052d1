import { createCipheriv } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ArchivePlaceName } from '../../model/history.ts'
import { makeArchivePieces } from '../../store/results/result-pieces.ts'
import { startS3Server } from '../../../testing/servers/s3-server.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { makePostgresPlace } from '../postgres-place.ts'
import { openS3Objects } from '../s3/s3-objects.ts'
import { keyOfArchived, makeS3Place } from '../s3/s3-place.ts'
import type { BytePlace } from '../shared-results.ts'
import { makeArchiveBytes } from './archive-bytes.ts'
import { makeFilePlace } from './file-place.ts'
import { ArchiveDamaged } from './number-bytes.ts'
import { joined } from './restore-document.ts'

interface Subject {
  name: ArchivePlaceName
  place: BytePlace
  /** So many bytes that a writer fails in the middle of them. */
  manyBytes: number
  /** Objects need a row before they have bytes, if the place is the database. */
  begin(id: string): Promise<void>
  kept(): Promise<string[]>
  release(): Promise<void>
}

/** Bytes that do not compress, the same ones for each seed. */
const noise = (seed: string, sizeBytes: number) =>
  createCipheriv('aes-256-ctr', seed.padEnd(32), Buffer.alloc(16)).update(Buffer.alloc(sizeBytes))

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}

function archiveConformance(title: string, start: () => Promise<Subject>): void {
  describe(`archived bytes in ${title}`, () => {
    let subject: Subject
    beforeAll(async () => {
      subject = await start()
    })
    afterAll(() => subject.release())
    const open = () => makeArchiveBytes({ places: { [subject.name]: subject.place }, writeTo: subject.name })

    test.each([1, 300_000, 1_200_000])('reads back %i bytes and removes them', async (sizeBytes) => {
      const archive = open()
      const [id, bytes] = [`arc_${sizeBytes}`, noise(`${sizeBytes}`, sizeBytes)]
      await subject.begin(id)
      expect(await archive.write({ id, bytes: inPieces(bytes), onUpload: async () => {} })).toBe(sizeBytes)
      const stored = { id, place: subject.name, storedBytes: sizeBytes }
      expect((await joined(archive.read(stored))).equals(bytes)).toBe(true)
      await expect(joined(archive.read({ ...stored, storedBytes: sizeBytes + 1 }))).rejects.toThrow(ArchiveDamaged)
      await archive.remove([{ id, place: subject.name, uploadId: null }])
      await archive.remove([{ id, place: subject.name, uploadId: null }])
      await expect(joined(archive.read(stored))).rejects.toThrow(ArchiveDamaged)
      expect(await subject.kept()).toEqual([])
    })

    test('removes what a writer that failed has left', async () => {
      const archive = open()
      const id = 'arc_failed'
      await subject.begin(id)
      async function* failing() {
        yield* inPieces(noise('a', subject.manyBytes))
        throw new Error('connection lost')
      }
      let uploadId: string | null = null
      const writing = archive.write({ id, bytes: failing(), onUpload: async (upload) => void (uploadId = upload) })
      await expect(writing).rejects.toThrow('connection lost')
      await expect(joined(archive.read({ id, place: subject.name, storedBytes: subject.manyBytes }))).rejects.toThrow(ArchiveDamaged)
      await archive.remove([{ id, place: subject.name, uploadId }])
      expect(await subject.kept()).toEqual([])
    })

    test('says where bytes are that this process cannot reach', async () => {
      const elsewhere = makeArchiveBytes({ places: {}, writeTo: subject.name })
      await expect(joined(elsewhere.read({ id: 'arc_a', place: subject.name, storedBytes: 1 }))).rejects.toThrow(`stored in ${subject.name}`)
    })
  })
}

archiveConformance('files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'archive-'))
  return {
    name: 'files',
    manyBytes: 1_200_000,
    place: makeFilePlace({ folder: path.join(folder, 'archive') }),
    begin: async () => {},
    kept: () => readdir(path.join(folder, 'archive')),
    release: () => rm(folder, { recursive: true }),
  }
})

archiveConformance('S3', async () => {
  const server = await startS3Server()
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.accessKey)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.accessKey)
  const { endpoint, bucket } = server
  const objects = await openS3Objects({ endpoint, bucket, region: null, prefix: 'some/' })
  return {
    name: 's3',
    // More than one part of an upload.
    manyBytes: 6_000_000,
    place: makeS3Place(objects, { keyOf: keyOfArchived }),
    begin: async () => {},
    kept: async () => [...(await server.objects()), ...(await server.uploads())],
    async release() {
      vi.unstubAllEnvs()
      await server.stop()
    },
  }
})

describe.each(storeKinds)('on %s', (kind) => {
  archiveConformance('PostgreSQL', async () => {
    const store = await openTestStore(kind)
    await sql`insert into organizations (id, name, created_at) values ('org_a', 'A', now())`.execute(store.db)
    return {
      name: 'postgres',
      manyBytes: 1_200_000,
      place: makePostgresPlace(makeArchivePieces(store)),
      async begin(id) {
        await sql`insert into archive_objects
          (id, organization_id, content_hash, key_id, chain_length, chain_bytes, place, document_bytes, created_at)
          values (${id}, 'org_a', 'hash', ${id}, 0, 0, 'postgres', 1, now())`.execute(store.db)
      },
      kept: async () => (await sql<{ id: string }>`select distinct object_id as id from archive_pieces`.execute(store.db)).rows.map(({ id }) => id),
      release: () => store.close(),
    }
  })
})
