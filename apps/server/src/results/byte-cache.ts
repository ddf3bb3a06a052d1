/** An LRU cache of bytes with a maximum total size. For values that never change under their key. */
export interface ByteCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  delete(key: string): void
}

/** About what an entry takes besides its bytes: the key, the buffer's object and its place in the map. */
export const entryBytes = 512

export function byteCache(options: { maxBytes: number }): ByteCache {
  // A Map keeps insertion order, so its first key is the least recently used.
  const cached = new Map<string, Buffer>()
  let totalBytes = 0
  function drop(key: string) {
    const bytes = cached.get(key)
    if (!bytes) return
    totalBytes -= bytes.length + entryBytes
    cached.delete(key)
  }
  return {
    get(key) {
      const bytes = cached.get(key)
      if (bytes) {
        cached.delete(key)
        cached.set(key, bytes)
      }
      return bytes
    },
    set(key, bytes) {
      drop(key)
      cached.set(key, withOwnMemory(bytes))
      totalBytes += bytes.length + entryBytes
      for (const oldest of cached.keys()) {
        if (totalBytes <= options.maxBytes) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}

/** A small buffer is usually a piece of a shared one, which would stay in memory as a whole. */
function withOwnMemory(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
