import { existsSync } from 'node:fs'
import { mkdir, rename, watch } from 'node:fs/promises'
import path from 'node:path'

/**
 * The path of a file or folder that all tests of a run share and don't change, in the run's folder (`QUERYPOST_TEST_FOLDER`). The first
 * worker that needs it makes it, and the others wait for it.
 */
export async function makeOnce(name: string, make: (target: string) => Promise<void>): Promise<string> {
  const folder = path.join(process.env['QUERYPOST_TEST_FOLDER']!, name)
  const ready = path.join(folder, 'ready')
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const target = path.join(folder, 'in-progress')
    await make(target)
    await rename(target, ready)
  } else if (!existsSync(ready)) await untilExists(ready, folder)
  return ready
}

async function untilExists(file: string, folder: string): Promise<void> {
  const changes = watch(folder)
  // It may have been created before the watch began.
  if (existsSync(file)) return
  for await (const _ of changes) if (existsSync(file)) return
}
