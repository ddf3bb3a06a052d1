/**
 * The system identifier of an embedded store, by which backups and cursors tell one store from another. PostgreSQL keeps it in two
 * places of a folder: at the start of `pg_control`, which ends with a checksum, and in the first page of each segment of the log. It
 * refuses to open a folder in which they differ.
 */
import { open, readdir } from 'node:fs/promises'
import path from 'node:path'

const controlFile = 'global/pg_control'
const offsetInSegment = 24
/** Every version of PostgreSQL keeps the checksum within the first sector. */
const controlMaxBytes = 512

/** Changes the identifier of a store that is not open. */
export async function setSystemIdentifier(folder: string, identifier: bigint): Promise<void> {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(identifier)
  await changeFile(path.join(folder, controlFile), async (file) => {
    const content = Buffer.alloc(controlMaxBytes)
    await file.read(content, 0, controlMaxBytes, 0)
    const checksumAt = findChecksum(content)
    bytes.copy(content)
    content.writeUInt32LE(crc32c(content.subarray(0, checksumAt)), checksumAt)
    await file.write(content, 0, controlMaxBytes, 0)
  })
  const log = path.join(folder, 'pg_wal')
  for (const name of await readdir(log)) {
    if (/^[0-9A-F]{24}$/.test(name)) await changeFile(path.join(log, name), (file) => file.write(bytes, 0, bytes.length, offsetInSegment))
  }
}

async function changeFile(name: string, change: (file: Awaited<ReturnType<typeof open>>) => Promise<unknown>): Promise<void> {
  const file = await open(name, 'r+')
  try {
    await change(file)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Its place depends on the version, but only one place has the checksum of everything before it. */
function findChecksum(content: Buffer): number {
  for (let at = 8; at + 4 <= content.length; at += 4) {
    if (content.readUInt32LE(at) === crc32c(content.subarray(0, at))) return at
  }
  throw new Error(`${controlFile} has no valid checksum.`)
}

const castagnoli = 0x82f63b78
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ castagnoli : value >>> 1
  return value
})

/** The checksum that PostgreSQL uses. Node has only the other CRC-32. */
export function crc32c(bytes: Uint8Array): number {
  let value = 0xffff_ffff
  for (const byte of bytes) value = table[(value ^ byte) & 0xff]! ^ (value >>> 8)
  return (value ^ 0xffff_ffff) >>> 0
}
