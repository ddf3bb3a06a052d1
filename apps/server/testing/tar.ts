import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'

/** A tar archive with these files; the same bytes each time. */
export function tarOf(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mtime: new Date(0) }, content)
  archive.finalize()
  return buffer(archive)
}
