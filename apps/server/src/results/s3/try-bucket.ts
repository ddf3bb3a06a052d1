import type { S3Settings } from '../results-setting.ts'
import { openS3Objects } from './s3-objects.ts'
import { reasonOf } from './probe.ts'

/** Asks the bucket for an object that does not exist, which changes nothing. Returns why that failed. */
export async function tryBucket(settings: S3Settings): Promise<string | undefined> {
  const objects = await openS3Objects(settings)
  try {
    await objects.getRange({ key: 'doctor-looks-for-nothing', offset: 0, length: 1 })
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** Where the bucket answers. Its `Date` header tells the server's time. */
export function addressOf({ bucket, endpoint, region }: S3Settings): string {
  return endpoint ?? `https://${bucket}.s3.${region ?? 'us-east-1'}.amazonaws.com`
}
