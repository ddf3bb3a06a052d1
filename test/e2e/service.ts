import { rm } from 'node:fs/promises'
import { buildPages } from '../../scripts/build-pages.mjs'
import { preparedDataDirectory, preparedEmail } from '../first-start.ts'
import { newDataDirectory, startServiceProcess, testKey, testPassword } from '../service-process.ts'

/** The service with the web app and the sample shop, for browser tests. */
export interface Service {
  baseUrl: string
  email: string
  password: string
  apiKey: string
  /** Calls `/api` with the key of the first start. */
  api<Answer>(method: string, route: string): Promise<Answer>
  stop(): Promise<void>
}

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  buildPages()
  const dataDirectory = isUsual(environment) ? await preparedDataDirectory() : await newDataDirectory()
  const service = await startServiceProcess({ dataDirectory, environment: { BOOTSTRAP_EMAIL: preparedEmail, ...environment } })
  return {
    // Browsers treat localhost as a secure context, and 127.0.0.1 as another site.
    baseUrl: service.baseUrl.replace('127.0.0.1', 'localhost'),
    email: preparedEmail,
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

/** Whether its first start creates the same data as every other one. */
const isUsual = (environment: Record<string, string>) =>
  !Object.keys(environment).some((name) => name.startsWith('BOOTSTRAP_') || name === 'DATABASE_URL')
