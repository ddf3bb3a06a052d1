/** Keeps the bytes used last, up to a total size. For what never changes under its key. */
export interface ByteCache {
  get(key: string): Buffer | undefined
  set(key: string, bytes: Buffer): void
  delete(key: string): void
}

export function byteCache(options: { maxBytes: number }): ByteCache {
  // A Map keeps its keys in the order of insertion: the first is the one unused for longest.
  const kept = new Map<string, Buffer>()
  let totalBytes = 0
  function drop(key: string) {
    totalBytes -= kept.get(key)?.length ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const bytes = kept.get(key)
      if (bytes) {
        kept.delete(key)
        kept.set(key, bytes)
      }
      return bytes
    },
    set(key, bytes) {
      drop(key)
      kept.set(key, bytes)
      totalBytes += bytes.length
      for (const oldest of kept.keys()) {
        if (totalBytes <= options.maxBytes) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}
