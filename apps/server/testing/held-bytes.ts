import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as (options?: { type: 'minor' }) => void

const bufferBytes = () => process.memoryUsage().arrayBuffers

/** The memory of buffers that are in use. */
export const heldBytes = (): number => bytesAfterTwo(() => collectGarbage())

/** The same, as exactly as it takes to know whether it is below `limit`: if it is, unused buffers may count. */
export function heldBytesBelow(limit: number): number {
  const bytes = bufferBytes()
  if (bytes < limit) return bytes
  // Nearly all unused buffers are young, and collecting those takes a tenth of the time or less.
  const withoutYoung = bytesAfterTwo(() => collectGarbage({ type: 'minor' }))
  return withoutYoung < limit ? withoutYoung : heldBytes()
}

/** V8 frees the memory of buffers in the background, and waits for that when it collects again. */
function bytesAfterTwo(collect: () => void): number {
  collect()
  collect()
  return bufferBytes()
}
