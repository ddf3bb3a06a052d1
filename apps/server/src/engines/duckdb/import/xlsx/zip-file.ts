/** Reads the entries of a zip file one by one, as streams, and never more than a given number of bytes in total. */
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'
import { ImportFault } from '../import-fault.ts'

interface ZipEntry {
  method: number
  isEncrypted: boolean
  packedBytes: number
  offset: number
}

export interface ZipFile {
  has(name: string): boolean
  /** The text of an entry, in pieces. */
  texts(name: string): AsyncGenerator<string>
}

const directoryMaxBytes = 4 * 1024 * 1024
const endMaxBytes = 22 + 65_535

export async function openZip(file: string, { maxMb }: { maxMb: number }): Promise<ZipFile> {
  const handle = await open(file)
  try {
    await rejectOldWorkbook(handle)
    const entries = readDirectory(await readDirectoryBytes(handle))
    let leftBytes = maxMb * 1024 * 1024
    return {
      has: (name) => entries.has(name),
      async *texts(name) {
        const decoder = new TextDecoder('utf-8')
        for await (const chunk of unpack(file, entries.get(name))) {
          leftBytes -= chunk.length
          if (leftBytes < 0) throw new ImportFault('too_large', `Decompressed, the workbook is larger than ${maxMb} MiB.`)
          yield decoder.decode(chunk, { stream: true })
        }
        yield decoder.decode()
      },
    }
  } finally {
    await handle.close()
  }
}

const damaged = () => new ImportFault('file', 'The file is not a workbook, or it is damaged. Save it as .xlsx again.')

/** Workbooks of the old format, and those that are protected by a password. */
async function rejectOldWorkbook(handle: FileHandle): Promise<void> {
  const beginning = await readAt(handle, 0, 4)
  if (beginning.toString('hex') !== 'd0cf11e0') return
  throw new ImportFault('file', 'This is an old workbook (.xls), or it is protected by a password. Save it as .xlsx without one.')
}

async function readDirectoryBytes(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat()
  const end = await readAt(handle, Math.max(0, size - endMaxBytes), Math.min(size, endMaxBytes))
  const at = end.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (at === -1 || at + 22 > end.length) throw damaged()
  const [sizeBytes, offset] = [end.readUInt32LE(at + 12), end.readUInt32LE(at + 16)]
  if (sizeBytes > directoryMaxBytes || offset + sizeBytes > size) throw damaged()
  return readAt(handle, offset, sizeBytes)
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function readDirectory(bytes: Buffer): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [number, number, number]
    entries.set(bytes.toString('utf8', at + 46, at + 46 + nameBytes), {
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      packedBytes: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameBytes + extraBytes + commentBytes
  }
  return entries
}

async function* unpack(file: string, entry: ZipEntry | undefined): AsyncGenerator<Buffer> {
  if (!entry || (entry.method !== 0 && entry.method !== 8)) throw damaged()
  if (entry.isEncrypted) throw new ImportFault('file', 'The workbook is protected by a password. Remove it and upload the file again.')
  const start = await contentStart(file, entry.offset)
  if (entry.packedBytes === 0) return
  const packed = createReadStream(file, { start, end: start + entry.packedBytes - 1 })
  if (entry.method === 0) return yield* packed as AsyncIterable<Buffer>
  const unpacking = createInflateRaw()
  packed.on('error', (error) => unpacking.destroy(error))
  try {
    yield* packed.pipe(unpacking) as AsyncIterable<Buffer>
  } catch (error) {
    throw String((error as NodeJS.ErrnoException).code).startsWith('Z_') ? damaged() : error
  } finally {
    packed.destroy()
  }
}

async function contentStart(file: string, offset: number): Promise<number> {
  const handle = await open(file)
  try {
    const header = await readAt(handle, offset, 30)
    if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw damaged()
    return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    await handle.close()
  }
}
