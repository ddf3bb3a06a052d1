import { makeTaskGroup } from '../ports/task-group.ts'

/** Regroups bytes into blocks of equal size; the last one may be shorter. */
export async function* inBlocks(bytes: AsyncIterable<Buffer>, blockBytes: number): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let gatheredBytes = 0
  for await (const piece of bytes) {
    let rest = piece
    while (gatheredBytes + rest.length >= blockBytes) {
      const taken = blockBytes - gatheredBytes
      yield Buffer.concat([...gathered, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      gathered = []
      gatheredBytes = 0
    }
    if (rest.length > 0) gathered.push(rest)
    gatheredBytes += rest.length
  }
  if (gatheredBytes > 0) yield Buffer.concat(gathered)
}

/**
 * Writes blocks while the next ones are produced, at most `atOnce` at a time. Resolves, or throws the first error, when all
 * writes have ended.
 */
export async function writeBlocks(
  blocks: AsyncIterable<Buffer>,
  options: { atOnce: number; write(block: Buffer, number: number): Promise<void> },
): Promise<void> {
  const writes = makeTaskGroup({ atOnce: options.atOnce })
  let count = 0
  try {
    for await (const block of blocks) {
      const number = count++
      await writes.begin(() => options.write(block, number))
    }
  } catch (error) {
    await writes.finish().catch(() => {})
    throw error
  }
  await writes.finish()
}
