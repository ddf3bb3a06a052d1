import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file in the archive. Its name is ASCII. */
export interface ZipEntry {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

/**
 * Writes a ZIP archive while its files are made. The size and checksum of a file follow its content ("data descriptor"), so nothing is
 * held in memory. Without ZIP64: a file and the archive must stay below 4 GiB.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const start = offset
    const head = localHeader(name)
    yield head
    offset += head.length
    const meter = { crc: 0, sizeBytes: 0, packedBytes: 0 }
    for await (const chunk of deflated(content, meter)) {
      meter.packedBytes += chunk.length
      yield chunk
    }
    const descriptor = dataDescriptor(meter)
    yield descriptor
    offset += meter.packedBytes + descriptor.length
    if (offset > maxBytes || meter.sizeBytes > maxBytes) throw new Error('the archive is larger than a ZIP file can be')
    directory.push(directoryEntry(name, { ...meter, start }))
  }
  const bytes = Buffer.concat(directory)
  yield Buffer.concat([bytes, endOfDirectory({ count: directory.length, sizeBytes: bytes.length, start: offset })])
}

interface Meter {
  crc: number
  sizeBytes: number
  packedBytes: number
}

async function* deflated(content: ZipEntry['content'], meter: Meter): AsyncGenerator<Buffer> {
  async function* metered() {
    for await (const text of content) {
      const bytes = Buffer.from(text)
      meter.crc = crc32(bytes, meter.crc)
      meter.sizeBytes += bytes.length
      yield bytes
    }
  }
  const source = Readable.from(metered(), { objectMode: false })
  // Errors surface in the loop below.
  const packed = pipeline(source, createDeflateRaw({ level: 3 }), () => {})
  try {
    yield* packed as AsyncIterable<Buffer>
  } finally {
    packed.destroy()
    source.destroy()
  }
}

const maxBytes = 0xffff_ffff
/** The first version with folders and deflate. */
const version = 20
/** The sizes follow the content. */
const flags = 0x0008
const deflate = 8
/** 1980-01-01, the earliest date of the format: the same content gives the same bytes. */
const date = (1 << 5) | 1

function localHeader(name: string): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(flags, 6)
  head.writeUInt16LE(deflate, 8)
  head.writeUInt16LE(date, 12)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name, 'ascii')])
}

function dataDescriptor({ crc, packedBytes, sizeBytes }: Meter): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  bytes.writeUInt32LE(packedBytes, 8)
  bytes.writeUInt32LE(sizeBytes, 12)
  return bytes
}

function directoryEntry(name: string, { crc, packedBytes, sizeBytes, start }: Meter & { start: number }): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(version, 4)
  entry.writeUInt16LE(version, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(deflate, 10)
  entry.writeUInt16LE(date, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(packedBytes, 20)
  entry.writeUInt32LE(sizeBytes, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(start, 42)
  return Buffer.concat([entry, Buffer.from(name, 'ascii')])
}

function endOfDirectory({ count, sizeBytes, start }: { count: number; sizeBytes: number; start: number }): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(sizeBytes, 12)
  end.writeUInt32LE(start, 16)
  return end
}
