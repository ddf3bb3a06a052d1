import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import type { S3Settings } from '../results-setting.ts'

/**
 * The few operations this service needs on a bucket. Credentials come from the SDK's default chain: AWS_* variables and so on.
 */
export interface S3Objects {
  put(key: string, bytes: Buffer): Promise<void>
  createUpload(key: string): Promise<string>
  /** Part numbers start at 1. Returns the part's tag for `completeUpload`. */
  uploadPart(options: { key: string; uploadId: string; number: number; bytes: Buffer }): Promise<string>
  completeUpload(options: { key: string; uploadId: string; tags: string[] }): Promise<void>
  /** Aborting a missing upload succeeds. */
  abortUpload(options: { key: string; uploadId: string }): Promise<void>
  /** Undefined if there is no such object. */
  getRange(options: { key: string; offset: number; length: number }): Promise<Buffer | undefined>
  /** Deleting a missing object succeeds. */
  delete(key: string): Promise<void>
}

/** Loads the SDK lazily, because it is large and most installations do not need it. */
export async function openS3Objects(settings: S3Settings): Promise<S3Objects> {
  const sdk = await import('@aws-sdk/client-s3')
  const client: S3Client = new sdk.S3Client(clientConfig(settings))
  const Bucket = settings.bucket
  const named = (key: string) => ({ Bucket, Key: `${settings.prefix}${key}` })
  return {
    async put(key, bytes) {
      await client.send(new sdk.PutObjectCommand({ ...named(key), ...contentOf(key), Body: bytes }))
    },
    async createUpload(key) {
      const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand({ ...named(key), ...contentOf(key) }))
      return UploadId!
    },
    async uploadPart({ key, uploadId, number, bytes }) {
      const part = { ...named(key), UploadId: uploadId, PartNumber: number, Body: bytes }
      const { ETag } = await client.send(new sdk.UploadPartCommand(part))
      return ETag!
    },
    async completeUpload({ key, uploadId, tags }) {
      const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
      const whole = { ...named(key), UploadId: uploadId, MultipartUpload: { Parts } }
      await client.send(new sdk.CompleteMultipartUploadCommand(whole))
    },
    async abortUpload({ key, uploadId }) {
      await unlessMissing(client.send(new sdk.AbortMultipartUploadCommand({ ...named(key), UploadId: uploadId })))
    },
    async getRange({ key, offset, length }) {
      const Range = `bytes=${offset}-${offset + length - 1}`
      const found = await unlessMissing(client.send(new sdk.GetObjectCommand({ ...named(key), Range })))
      if (!found) return undefined
      return Buffer.from(await found.Body!.transformToByteArray())
    },
    async delete(key) {
      await unlessMissing(client.send(new sdk.DeleteObjectCommand(named(key))))
    },
  }
}

/** Results are stored as they are sent; archived ones in a form of our own. */
function contentOf(key: string) {
  if (!/\.json\.\w+$/.test(key)) return { ContentType: 'application/zstd' }
  return { ContentType: 'application/json; charset=utf-8', ContentEncoding: key.endsWith('.gz') ? 'gzip' : 'zstd' }
}

function clientConfig({ endpoint, region }: S3Settings): S3ClientConfig {
  return {
    ...(region && { region }),
    // Servers other than Amazon's use one address for all buckets and usually ignore the region.
    ...(endpoint && { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    // The SDK's newer checksums are sent as trailers, which many of those servers reject.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000, throwOnRequestTimeout: true },
  }
}

const missing = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound'])

async function unlessMissing<Answer>(response: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await response
  } catch (error) {
    if (missing.has((error as Error).name)) return undefined
    throw error
  }
}
