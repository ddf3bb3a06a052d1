/** Up to this size, frames wait for the next ones. Frames with many rows are larger. */
const heldMaxBytes = 32 * 1024

export interface FrameWriter {
  /** The frame's bytes can be reused as soon as this returns. */
  write(frame: Uint8Array): void
  /** Sends the frames that are still held. Without it they are dropped, as after an error. */
  flush(): void
}

/**
 * Sends small frames together. Every write wakes the engine, which runs at a higher priority than this process and may take its
 * processor. A small result is a single write.
 */
export function makeFrameWriter(send: (bytes: Uint8Array) => void): FrameWriter {
  let held: Uint8Array[] = []
  let heldBytes = 0
  function flush() {
    if (heldBytes > 0) send(Buffer.concat(held))
    held = []
    heldBytes = 0
  }
  return {
    write(frame) {
      if (heldBytes + frame.length > heldMaxBytes) flush()
      if (frame.length > heldMaxBytes) return send(frame)
      held.push(Uint8Array.from(frame))
      heldBytes += frame.length
    },
    flush,
  }
}
