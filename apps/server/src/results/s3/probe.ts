import type { S3Objects } from './s3-objects.ts'

/** A bucket that cannot be used: the operation that failed, and the server's error. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}

/**
 * Writes, reads and deletes an object, so that problems with the bucket surface at startup, not when someone refreshes a
 * query.
 */
export async function probeBucket(objects: S3Objects, options: { key: string }): Promise<void> {
  const { key } = options
  const bytes = Buffer.from('probe')
  await attempt('write an object to', () => objects.put(key, bytes))
  const read = await attempt('read an object from', () => objects.getRange({ key, offset: 0, length: bytes.length }))
  await attempt('delete an object from', () => objects.delete(key))
  if (!read?.equals(bytes)) throw new BucketUnusable('an object written to it could not be read back')
}

async function attempt<Answer>(action: string, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    throw new BucketUnusable(`could not ${action} it: ${reasonOf(error)}`)
  }
}

/** Some of the SDK's errors have a name, some a message, some both. */
export function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string }
  const parts = [code ?? name, message].filter((text) => text && text !== 'Error' && text !== 'UnknownError')
  return [...new Set(parts)].join(': ') || 'no reason given'
}
