/**
 * Lets DuckDB open a file without knowing its path. Any SQL can ask DuckDB for the canonical path of its open file. Symbolic links
 * are resolved, so a link alone hides nothing.
 *
 * On Linux a file is *hidden* in these steps: it gets a second name in a temporary folder, is opened under that name, and the name
 * is removed. The descriptor then points to a deleted name (`/proc/self/fd/7` → `… (deleted)`), which cannot be resolved further
 * but can still be opened. A link to it in the *stage*, a folder whose path reveals nothing, carries the file's own name, because
 * DuckDB names the catalog after it.
 *
 * Where that is not possible (no `/proc`, another file system, another owner) the file is opened at its own path.
 */
import { closeSync, existsSync, linkSync, openSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface HiddenFile {
  /** The path for DuckDB to open. */
  path: string
  /** Call after DuckDB has closed the file. */
  release(): void
}

/** `folder` must be on the same file system as the file. `stage` is a folder whose path reveals nothing. */
export function hideFile(file: string, { folder, stage }: { folder: string; stage: string }): HiddenFile {
  const hidden: { close(): void }[] = []
  const release = () => {
    for (const each of hidden) each.close()
  }
  try {
    hidden.push(hideOne(file, { folder, stage }))
    // DuckDB looks for the write-ahead log beside the file.
    if (existsSync(`${file}.wal`)) hidden.push(hideOne(`${file}.wal`, { folder, stage }))
    return { path: join(stage, basename(file)), release }
  } catch {
    release()
    return { path: file, release: () => {} }
  }
}

function hideOne(file: string, { folder, stage }: { folder: string; stage: string }): { close(): void } {
  const secondName = join(folder, 'opened')
  const name = join(stage, basename(file))
  rmSync(secondName, { force: true })
  linkSync(file, secondName)
  let descriptor: number
  try {
    descriptor = openSync(secondName, 'r')
  } finally {
    unlinkSync(secondName)
  }
  function close() {
    closeSync(descriptor)
    rmSync(name, { force: true })
  }
  try {
    rmSync(name, { force: true })
    symlinkSync(`/proc/self/fd/${descriptor}`, name)
    if (!existsSync(name)) throw new Error('/proc is not available.')
    return { close }
  } catch (error) {
    close()
    throw error
  }
}
