import { rmSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
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
  if (isUsual(environment)) await cp(await firstStart(), dataDirectory, { recursive: true })
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

let made: Promise<string> | undefined

/** What a first start leaves behind: the sample, and its report's first run. Made once, since it takes some seconds. */
function firstStart(): Promise<string> {
  made ??= makeFirstStart()
  return made
}

async function makeFirstStart(): Promise<string> {
  const dataDirectory = await newDataDirectory()
  process.once('exit', () => rmSync(dataDirectory, { recursive: true, force: true }))
  const service = await startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: email } })
  const page = await service.signIn()
  const hasRun = async () => {
    const { body } = await page('GET', '/app/api/automations')
    return (body as { items: { latestRun: { status: string } | null }[] }).items[0]?.latestRun?.status === 'completed'
  }
  while (!(await hasRun()));
  await service.stop()
  return dataDirectory
}
