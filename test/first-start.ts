import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, rename, watch } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { until } from './faults/until.ts'
import { newDataDirectory, startServiceProcess } from './service-process.ts'

/** The admin of the prepared first start. */
export const preparedEmail = 'ada@querypost.test'

/**
 * A data directory as a first start leaves it behind: the sample, and its report's first run. Making one takes seconds of a
 * processor, so whichever worker of a test run comes first makes it for all, in the folder that the run's set-up removes in the
 * end; everybody gets a copy. Whoever is not part of such a run begins with an empty one.
 */
export async function preparedDataDirectory(): Promise<string> {
  const dataDirectory = await newDataDirectory()
  const shared = process.env['QUERYPOST_TEST_FOLDER']
  if (shared !== undefined) await cp(await firstStart(shared), dataDirectory, { recursive: true })
  return dataDirectory
}

async function firstStart(shared: string): Promise<string> {
  const folder = path.join(shared, 'first-start')
  const ready = path.join(folder, 'ready')
  const isOurs = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isOurs) await makeFirstStart({ folder, ready, image: path.join(shared, 'pglite.tar') })
  else if (!existsSync(ready)) await appearanceOf(ready, folder)
  return ready
}

async function appearanceOf(file: string, folder: string): Promise<void> {
  const changes = watch(folder)
  // It may have come while the watch began.
  if (existsSync(file)) return
  for await (const _ of changes) if (existsSync(file)) return
}

/** Gives a data directory an embedded store that is migrated and empty: creating one takes six CPU seconds. */
export async function unpackStore({ image, dataDirectory }: { image: string; dataDirectory: string }): Promise<void> {
  const store = path.join(dataDirectory, 'store')
  await mkdir(store, { recursive: true, mode: 0o700 })
  await promisify(execFile)('tar', ['-xf', image, '-C', store])
}

/** On the image that the set-up has made, migrated and empty: to make a cluster is most of a first start, and embedded.test.ts has it all. */
async function makeFirstStart({ folder, ready, image }: { folder: string; ready: string; image: string }): Promise<void> {
  const dataDirectory = path.join(folder, 'making')
  await unpackStore({ image, dataDirectory })
  const service = await startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: preparedEmail } })
  const page = await service.signIn()
  const hasRun = async () => {
    const { body } = await page('GET', '/app/api/automations')
    return (body as { items: { latestRun: { status: string } | null }[] }).items[0]?.latestRun?.status === 'completed'
  }
  await until(hasRun)
  await service.stop()
  await rename(dataDirectory, ready)
}
