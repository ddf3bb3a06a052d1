/**
 * Lets DuckDB open a file without knowing where it is. DuckDB tells anybody who asks which file it has open, by its
 * canonical path: links are followed, so a link alone hides nothing.
 *
 * On Linux a file is *hidden* like this: it gets a second name in a temporary folder, is opened by it, and the second name is
 * removed. The descriptor then leads to a name that is gone (`/proc/self/fd/7` → `… (deleted)`), which cannot be
 * resolved any further but can still be opened. A link to it in the *stage*, a folder whose own path says nothing,
 * gives it the file's name, after which DuckDB names the catalog.
 *
 * Where that is not possible (no `/proc`, another file system, a file of somebody else's) the file is opened as it is.
 */
import { closeSync, existsSync, linkSync, openSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface HiddenFile {
  /** What DuckDB is to open. */
  path: string
  /** Once DuckDB has closed it. */
  release(): void
}

/** `folder` is on the file system of the file, `stage` is not known to anybody. */
export function hideFile(file: string, { folder, stage }: { folder: string; stage: string }): HiddenFile {
  const hidden: { close(): void }[] = []
  const release = () => {
    for (const each of hidden) each.close()
  }
  try {
    hidden.push(hideOne(file, { folder, stage }))
    // DuckDB looks for the log of a writer beside the file.
    if (existsSync(`${file}.wal`)) hidden.push(hideOne(`${file}.wal`, { folder, stage }))
    return { path: join(stage, basename(file)), release }
  } catch {
    release()
    return { path: file, release: () => {} }
  }
}

function hideOne(file: string, { folder, stage }: { folder: string; stage: string }): { close(): void } {
  const second = join(folder, 'opened')
  const name = join(stage, basename(file))
  rmSync(second, { force: true })
  linkSync(file, second)
  let descriptor: number
  try {
    descriptor = openSync(second, 'r')
  } finally {
    unlinkSync(second)
  }
  function close() {
    closeSync(descriptor)
    rmSync(name, { force: true })
  }
  try {
    rmSync(name, { force: true })
    symlinkSync(`/proc/self/fd/${descriptor}`, name)
    if (!existsSync(name)) throw new Error('There is no /proc.')
    return { close }
  } catch (error) {
    close()
    throw error
  }
}
