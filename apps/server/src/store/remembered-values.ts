/**
 * Values by key, up to a total size. The value that was set longest ago makes room. Sizes are estimates: what counts
 * is that a few large values take the room of many small ones, so that memory stays bounded whatever they hold.
 */
export interface RememberedValues<Key, Value> {
  get(key: Key): Value | undefined
  /** A value that would take all the room by itself is not kept. */
  set(key: Key, value: Value): void
  delete(key: Key): void
  readonly count: number
  readonly sizeBytes: number
}

export function rememberedValues<Key, Value>({ maxBytes }: { maxBytes: number }): RememberedValues<Key, Value> {
  // A Map keeps its keys in the order of insertion: the first is the oldest.
  const kept = new Map<Key, { value: Value; sizeBytes: number }>()
  let totalBytes = 0

  function drop(key: Key) {
    totalBytes -= kept.get(key)?.sizeBytes ?? 0
    kept.delete(key)
  }

  return {
    get: (key) => kept.get(key)?.value,
    set(key, value) {
      drop(key)
      const sizeBytes = estimateBytes(key) + estimateBytes(value)
      if (sizeBytes > maxBytes) return
      kept.set(key, { value, sizeBytes })
      totalBytes += sizeBytes
      for (const oldest of kept.keys()) {
        if (totalBytes <= maxBytes) break
        drop(oldest)
      }
    },
    delete: drop,
    get count() {
      return kept.size
    },
    get sizeBytes() {
      return totalBytes
    },
  }
}

const objectBytes = 64
const fieldBytes = 16

/** Of plain data, on the safe side: a text is counted as if all of its characters needed two bytes. */
export function estimateBytes(value: unknown): number {
  let bytes = 0
  const waiting: unknown[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    bytes += fieldBytes
    if (typeof next === 'string') bytes += 2 * next.length
    else if (ArrayBuffer.isView(next)) bytes += next.byteLength
    else if (typeof next === 'object' && next !== null) {
      bytes += objectBytes
      // An undefined field would end the loop early, and takes no room worth counting.
      for (const inner of Object.values(next)) if (inner !== undefined) waiting.push(inner)
    }
  }
  return bytes
}
