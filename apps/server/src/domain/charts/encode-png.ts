import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const deflated = promisify(deflate)
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Writes pixels with four bytes each as a PNG with three: the last byte, transparency, is left out. Compresses off the event loop. */
export async function encodeOpaquePng(image: { width: number; height: number; pixels: Uint8Array }): Promise<Buffer> {
  const { width, height, pixels } = image
  // Each line begins with a byte that says how it is filtered: 0, not at all.
  const lines = Buffer.alloc(height * (1 + 3 * width))
  let to = 0
  let from = 0
  for (let y = 0; y < height; y++) {
    to += 1
    for (let x = 0; x < width; x++) {
      lines[to] = pixels[from]!
      lines[to + 1] = pixels[from + 1]!
      lines[to + 2] = pixels[from + 2]!
      to += 3
      from += 4
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // 8 bits per color, and three colors.
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', await deflated(lines)), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, content: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
