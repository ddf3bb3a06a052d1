/** An LRU cache of bytes with a maximum total size. For values that never change under their key. */
export interface ByteCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  delete(key: string): void
}

export function byteCache(options: { maxBytes: number }): ByteCache {
  // A Map keeps insertion order, so its first key is the least recently used.
  const cached = new Map<string, Buffer>()
  let totalBytes = 0
  function drop(key: string) {
    totalBytes -= cached.get(key)?.length ?? 0
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
      cached.set(key, bytes)
      totalBytes += bytes.length
      for (const oldest of cached.keys()) {
        if (totalBytes <= options.maxBytes) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}
