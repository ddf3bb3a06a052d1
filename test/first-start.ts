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
 * A data directory in the state after a first start: with the sample and the first run of its report. Creating one takes CPU seconds, so
 * the first worker of a test run creates it in the shared folder of the run, and each caller gets a copy. Outside a test run the
 * directory is empty.
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
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) await makeFirstStart({ folder, ready, image: path.join(shared, 'pglite.tar') })
  else if (!existsSync(ready)) await untilExists(ready, folder)
  return ready
}

async function untilExists(file: string, folder: string): Promise<void> {
  const changes = watch(folder)
  // It may have been created before the watch began.
  if (existsSync(file)) return
  for await (const _ of changes) if (existsSync(file)) return
}

/** Gives a data directory an embedded store that is migrated and empty: creating one takes six CPU seconds. */
export async function unpackStore({ image, dataDirectory }: { image: string; dataDirectory: string }): Promise<void> {
  const store = path.join(dataDirectory, 'store')
  await mkdir(store, { recursive: true, mode: 0o700 })
  await promisify(execFile)('tar', ['-xf', image, '-C', store])
}

/** Starts on the prepared store image, since creating a cluster is most of a first start. embedded.test.ts tests it without the image. */
async function makeFirstStart({ folder, ready, image }: { folder: string; ready: string; image: string }): Promise<void> {
  const dataDirectory = path.join(folder, 'in-progress')
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
