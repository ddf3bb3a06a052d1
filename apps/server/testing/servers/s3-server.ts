import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** An S3 server on loopback in this process: `s3rver` from npm, with a bucket in its own folder. */
export interface S3Server {
  endpoint: string
  bucket: string
  /** The value for both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. */
  accessKey: string
  /** The requests so far, as `PUT /bucket/key`. */
  requests: string[]
  /** Makes it fail requests for which `judge` returns a status. */
  refuse(judge: (request: { method: string; url: string }) => number | undefined): void
  /** The names of the objects in the bucket. */
  objects(): Promise<string[]>
  /** The ids of unfinished multipart uploads. */
  uploads(): Promise<string[]>
  stop(): Promise<void>
}

interface Context {
  method: string
  url: string
  query: Record<string, string | undefined>
  status: number
  body: unknown
}

interface Rver {
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
  store: FileStore
  httpServer: Server
  run(): Promise<{ port: number }>
}

interface FileStore {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string
  putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>
  putObject(object: { bucket: string; key: string; content: Readable; metadata: unknown }): Promise<Stored>
  putPart(bucket: string, uploadId: string, number: string, content: Readable): Promise<Stored>
}

interface Stored {
  size: number
  md5: string
}

const bucket = 'querypost-test'

export async function startS3Server(): Promise<S3Server> {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Rver
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: folder,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const uploadsFolder = server.store.getResourcePath(bucket, undefined, 'uploads')
  fixWrites(server.store, uploadsFolder)
  const requests: string[] = []
  let judge: Parameters<S3Server['refuse']>[0] | undefined

  server.middleware.unshift(async (context, next) => {
    const { method, url, query } = context
    requests.push(`${method} ${url.split('?')[0]}`)
    const status = judge?.({ method, url })
    if (status !== undefined) return refuseWith(context, { status, code: `Refused${status}`, message: 'On purpose.' })
    const { uploadId } = query
    if (uploadId === undefined) return next()
    const upload = path.join(uploadsFolder, path.basename(uploadId))
    // s3rver accepts parts of uploads that do not exist, and lacks AbortMultipartUpload.
    if (!existsSync(upload)) return refuseWith(context, { status: 404, code: 'NoSuchUpload', message: 'No such upload.' })
    if (method !== 'DELETE') return next()
    await rm(upload, { recursive: true })
    context.status = 204
  })

  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    accessKey: 'S3RVER',
    requests,
    refuse(given) {
      judge = given
    },
    async objects() {
      const ending = '._S3rver_object'
      const files = await readdir(path.join(folder, bucket), { recursive: true })
      return files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length))
    },
    uploads: () => readdir(uploadsFolder).catch(() => []),
    async stop() {
      const closed = new Promise((resolve) => server.httpServer.close(resolve))
      server.httpServer.closeAllConnections()
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function refuseWith(context: Context, error: { status: number; code: string; message: string }): void {
  context.status = error.status
  context.body = `<?xml version="1.0"?><Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>`
}

/** s3rver answers before data is written to its file, and shows incomplete objects. S3 does neither. */
function fixWrites(store: FileStore, uploadsFolder: string) {
  store.putObject = async (object) => {
    const stored = await writeAtomically(store.getResourcePath(object.bucket, object.key, 'object'), object.content)
    await store.putMetadata(object.bucket, object.key, object.metadata, stored.md5)
    return stored
  }
  store.putPart = (_bucket, uploadId, number, content) =>
    writeAtomically(path.join(uploadsFolder, uploadId, number), content)
}

async function writeAtomically(file: string, content: Readable): Promise<Stored> {
  await mkdir(path.dirname(file), { recursive: true })
  const md5 = createHash('md5')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      md5.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  const unfinished = `${file}.unfinished`
  await pipeline(content, measure, createWriteStream(unfinished))
  await rename(unfinished, file)
  return { size, md5: md5.digest('hex') }
}
