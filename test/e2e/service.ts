import { existsSync } from 'node:fs'
import { cp, mkdir, rename, rm, watch } from 'node:fs/promises'
import path from 'node:path'
import { buildPages } from '../../scripts/build-pages.mjs'
import { newDataDirectory, startServiceProcess, testKey, testPassword } from '../service-process.ts'

/** The service with its pages built and the sample shop, for a browser to look at. */
export interface Service {
  baseUrl: string
  email: string
  password: string
  apiKey: string
  /** `/api` with the key of the first start. */
  api<Answer>(method: string, route: string): Promise<Answer>
  stop(): Promise<void>
}

const email = 'ada@querypost.test'

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  buildPages()
  const dataDirectory = await newDataDirectory()
  const shared = process.env['QUERYPOST_TEST_FOLDER']
  if (shared !== undefined && isUsual(environment)) await cp(await firstStart(shared), dataDirectory, { recursive: true })
  const service = await startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: email, ...environment } })
  return {
    // Browsers treat localhost as a safe place; the numeric address is another site to them.
    baseUrl: service.baseUrl.replace('127.0.0.1', 'localhost'),
    email,
    password: testPassword,
    apiKey: testKey,
    async api(method, route) {
      const { status, body } = await service.api(method, route)
      if (status >= 300) throw new Error(`${method} ${route}: ${status} ${JSON.stringify(body)}`)
      return body
    },
    async stop() {
      await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Whether its first start makes what every other one makes. */
const isUsual = (environment: Record<string, string>) =>
  !Object.keys(environment).some((name) => name.startsWith('BOOTSTRAP_') || name === 'DATABASE_URL')

/**
 * What a first start leaves behind: the sample, and its report's first run. It takes some seconds, so whichever worker of a test run
 * comes first makes it for all, in the folder that the run's set-up removes in the end.
 */
async function firstStart(shared: string): Promise<string> {
  const folder = path.join(shared, 'first-start')
  const ready = path.join(folder, 'ready')
  const isOurs = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isOurs) await makeFirstStart({ folder, ready })
  else if (!existsSync(ready)) await appearanceOf(ready, folder)
  return ready
}

async function appearanceOf(file: string, folder: string): Promise<void> {
  const changes = watch(folder)
  // It may have come while the watch began.
  if (existsSync(file)) return
  for await (const _ of changes) if (existsSync(file)) return
}

async function makeFirstStart({ folder, ready }: { folder: string; ready: string }): Promise<void> {
  const dataDirectory = path.join(folder, 'making')
  const service = await startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: email } })
  const page = await service.signIn()
  const hasRun = async () => {
    const { body } = await page('GET', '/app/api/automations')
    return (body as { items: { latestRun: { status: string } | null }[] }).items[0]?.latestRun?.status === 'completed'
  }
  while (!(await hasRun()));
  await service.stop()
  await rename(dataDirectory, ready)
}
