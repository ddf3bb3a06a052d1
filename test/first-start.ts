import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeOnce } from '@querypost/server/testing'
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
  if (shared !== undefined) {
    const image = path.join(shared, 'pglite.tar')
    const prepared = await makeOnce('first-start', (target) => makeFirstStart(target, { image }))
    await cp(prepared, dataDirectory, { recursive: true })
  }
  return dataDirectory
}

/** Gives a data directory an embedded store that is migrated and empty: creating one takes six CPU seconds. */
export async function unpackStore({ image, dataDirectory }: { image: string; dataDirectory: string }): Promise<void> {
  const store = path.join(dataDirectory, 'store')
  await mkdir(store, { recursive: true, mode: 0o700 })
  await promisify(execFile)('tar', ['-xf', image, '-C', store])
}

/** Starts on the prepared store image, since creating a cluster is most of a first start. embedded.test.ts tests it without the image. */
async function makeFirstStart(dataDirectory: string, { image }: { image: string }): Promise<void> {
  await unpackStore({ image, dataDirectory })
  const service = await startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: preparedEmail } })
  const page = await service.signIn()
  const hasRun = async () => {
    const { body } = await page('GET', '/app/api/automations')
    return (body as { items: { latestRun: { status: string } | null }[] }).items[0]?.latestRun?.status === 'completed'
  }
  await until(hasRun)
  await service.stop()
}
