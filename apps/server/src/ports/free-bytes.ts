/**
 * Gives the memory of bytes back at once. Otherwise it is only given back by a garbage collection, and V8 starts one for every few dozen
 * megabytes: a dozen for a result of a million rows, each of which stops everything else. The bytes must not be used afterwards.
 *
 * Does nothing for bytes that share their memory with others, as small buffers do, and before Node 22.
 */
export function freeBytes(bytes: Uint8Array): void {
  const { buffer } = bytes
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== bytes.byteLength) return
  ;(buffer as { transfer?: ArrayBuffer['transfer'] }).transfer?.(0)
}
