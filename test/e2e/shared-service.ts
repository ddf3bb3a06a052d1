import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import type { SampleOrganization } from '@querypost/server/testing'

declare module 'vitest' {
  export interface ProvidedContext {
    sharedServiceUrl: string
  }
}

/** The organization of one test file, and the URL of the shared service. */
export interface SharedOrganization extends SampleOrganization {
  baseUrl: string
  databaseUrl: string
  /** A certificate for 127.0.0.1 that the service trusts. */
  certificate: { key: string; cert: string }
}

/**
 * One service for all browser tests, with an organization per test file. It is a child of this process, because workers are
 * short-lived. It starts when the first test file asks for an organization.
 */
export default async function setup(project: TestProject) {
  const { postgresUrl } = project.getProvidedContext()
  let starting: ReturnType<typeof startSharedService> | undefined
  const answer = async (route: string, body: string) => {
    const shared = await (starting ??= startSharedService(postgresUrl))
    return route === '/organizations' ? shared.addOrganization(body) : shared.mail.emails.filter(({ to }) => to.includes(body))
  }
  const server = createServer((request, response) => {
    text(request)
      .then((body) => answer(request.url!, body))
      .then((found) => response.end(JSON.stringify(found)))
      .catch((error: Error) => response.writeHead(500).end(error.stack))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('sharedServiceUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.closeAllConnections()
    server.close()
    await (await starting)?.stop()
  }
}

async function startSharedService(postgresUrl: string) {
  // Loaded lazily, because only browser tests need it.
  const { makeAuthority, openSampleOrganizations, startDnsServer, startMailServer, startSlackServer } = await import('@querypost/server/testing')
  const { startServiceProcess } = await import('../service-process.ts')
  await buildPages()
  const folder = path.join(process.env['QUERYPOST_TEST_FOLDER']!, 'shared-service')
  const dataDirectory = path.join(folder, 'data')
  await mkdir(dataDirectory, { recursive: true })
  const authority = await makeAuthority()
  const authorityFile = path.join(folder, 'authority.pem')
  await writeFile(authorityFile, authority.certificate)
  const certificate = await authority.issue({ names: ['127.0.0.1'] })
  const mail = await startMailServer()
  const slack = await startSlackServer()
  // No name exists, whatever the network of this machine resolves. The tests reach their servers by address.
  const dns = await startDnsServer(() => ({ code: 'NXDOMAIN' }))
  const organizations = await openSampleOrganizations({ postgresUrl, dataDirectory })
  const { databaseUrl } = organizations
  // With an organization in place, the service doesn't create one on its first start.
  await organizations.add('first')
  const service = await startServiceProcess({
    dataDirectory,
    environment: {
      DATABASE_URL: databaseUrl,
      DRAIN_SECONDS: '0',
      SMTP_URL: mail.url,
      SMTP_FROM: 'Querypost <querypost@shop.test>',
      NODE_EXTRA_CA_CERTS: authorityFile,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEBHOOK_DNS_SERVERS: dns.address,
      SLACK_API_URL: slack.apiUrl,
      AGENT_ALLOWED_NETWORKS: '127.0.0.1/32',
      // A service with several organizations doesn't allow local databases unless they are listed.
      DATABASE_ALLOWED_NETWORKS: '0.0.0.0/0, ::/0, 127.0.0.1, ::1',
    },
  })
  // Browsers treat localhost as a secure context; 127.0.0.1 would be a different site.
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
  return {
    mail,
    async addOrganization(name: string): Promise<SharedOrganization> {
      const organization = await organizations.add(name)
      const headers = { authorization: `Bearer ${organization.apiKey}` }
      const started = await fetch(`${service.baseUrl}/api/automations/${organization.automationId}/runs`, { method: 'POST', headers })
      if (!started.ok) throw new Error(`The sample automation was not started: ${await started.text()}`)
      await organizations.ended(((await started.json()) as { id: string }).id)
      return { ...organization, baseUrl, databaseUrl, certificate }
    },
    async stop() {
      await service.stop()
      await organizations.close()
      await mail.close()
      await slack.close()
      await dns.close()
    },
  }
}

/** Builds in a separate process, because this one must keep answering the workers. */
async function buildPages(): Promise<void> {
  const script = new URL('../../scripts/build-pages.mjs', import.meta.url)
  const code = `import { buildPages } from ${JSON.stringify(script.href)}; buildPages()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { cwd: fileURLToPath(new URL('.', script)) })
}
