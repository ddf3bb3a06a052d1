import type { S3Objects } from './s3-objects.ts'

/** A bucket that cannot be used: what could not be done with it, and what its server said. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}

/**
 * Writes, reads and deletes an object, so that a bucket's fault is found at the start and not by the first who
 * refreshes a query.
 */
export async function probeBucket(objects: S3Objects, options: { key: string }): Promise<void> {
  const { key } = options
  const bytes = Buffer.from('probe')
  await attempt('write an object to', () => objects.put(key, bytes))
  const read = await attempt('read an object of', () => objects.getRange({ key, offset: 0, length: bytes.length }))
  await attempt('delete an object of', () => objects.delete(key))
  if (!read?.equals(bytes)) throw new BucketUnusable('what was written to it could not be read back')
}

async function attempt<Answer>(what: string, act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act()
  } catch (error) {
    throw new BucketUnusable(`could not ${what} it: ${wordsOf(error)}`)
  }
}

/** Some of the SDK's errors have a name, some a message, some both. */
function wordsOf(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string }
  const words = [code ?? name, message].filter((text) => text && text !== 'Error' && text !== 'UnknownError')
  return [...new Set(words)].join(': ') || 'no reason given'
}
