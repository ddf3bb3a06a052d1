import { buffer } from 'node:stream/consumers'

/**
 * Reads a tar archive as `git archive` writes it. Resolves with the texts of its files that `isWanted`, by name. Everything else, such as
 * folders and links, is skipped.
 */
export async function readGitArchive(archive: Uint8Array, isWanted: (name: string) => boolean): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const { extract } = await import('tar-stream')
  const entries = extract()
  entries.end(archive)
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      if (type === 'file' && isWanted(name)) files.set(name, readText(name, await buffer(entry)))
      else entry.resume()
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('is not a tar archive', { cause: error })
  }
  return files
}

export class ArchiveError extends Error {}

function readText(name: string, content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(content)
  } catch {
    throw new ArchiveError(`has the file ${name}, which is not UTF-8`)
  }
}
