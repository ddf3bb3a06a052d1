/**
 * Reads a tar archive as `git archive` writes it: ustar, with extended headers for long names. Returns the texts of its files that
 * `isWanted`, by name. Everything else of the format is skipped.
 */
export function readArchive(archive: Uint8Array, isWanted: (name: string) => boolean): Map<string, string> {
  const files = new Map<string, string>()
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  let longName: string | undefined
  for (let at = 0; at < bytes.length; ) {
    const header = bytes.subarray(at, at + blockBytes)
    if (header.every((byte) => byte === 0)) break
    const { name, sizeBytes, type } = readHeader(header)
    const content = bytes.subarray(at + blockBytes, at + blockBytes + sizeBytes)
    if (content.length < sizeBytes) throw new ArchiveError('ends in the middle of a file')
    if (type === 'x') longName = readLongName(content)
    else {
      const fullName = longName ?? name
      if (isFile(type) && isWanted(fullName)) files.set(fullName, readText(fullName, content))
      longName = undefined
    }
    at += blockBytes * (1 + Math.ceil(sizeBytes / blockBytes))
  }
  return files
}

export class ArchiveError extends Error {}

const blockBytes = 512
const isFile = (type: string) => type === '0' || type === '\0'

function readHeader(header: Buffer): { name: string; sizeBytes: number; type: string } {
  const field = (start: number, length: number) => header.toString('utf8', start, start + length).split('\0', 1)[0]!
  const size = field(124, 12).trim()
  if (header.length < blockBytes || field(257, 5) !== 'ustar' || !/^[0-7]+$/.test(size)) throw new ArchiveError('is not a tar archive')
  const prefix = field(345, 155)
  return {
    name: prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`,
    sizeBytes: Number.parseInt(size, 8),
    type: String.fromCharCode(header[156]!),
  }
}

/** Records are `<length> <key>=<value>\n`, with the length of the whole record in bytes. */
function readLongName(content: Buffer): string | undefined {
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.toString('latin1', at, content.indexOf(' ', at)), 10)
    if (!(length > 0)) throw new ArchiveError('has an extended header that cannot be read')
    const record = content.toString('utf8', content.indexOf(' ', at) + 1, at + length - 1)
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return undefined
}

function readText(name: string, content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(content)
  } catch {
    throw new ArchiveError(`has the file ${name}, which is not UTF-8`)
  }
}
