import { execFile, execFileSync } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../faults/until.ts'
import { preparedDataDirectory } from '../first-start.ts'
import { newDataDirectory, quickToCompile, type ServiceProcess, startServiceProcess } from '../service-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Listed {
  items: { id: string; shortId: string; title: string; latestRun: { status: string } | null }[]
}

describe('the service on embedded defaults, as a process', () => {
  let dataDirectory: string
  let service: ServiceProcess

  beforeAll(async () => {
    dataDirectory = await newDataDirectory()
    service = await startServiceProcess({ dataDirectory })
  })
  afterAll(async () => {
    await service.stop('SIGKILL')
    await rm(dataDirectory, { recursive: true, force: true })
  })

  test('a first start says where it is, how to sign in, and a curl line that works', async () => {
    expect(service.output()).toContain('Querypost is running at http://localhost:')
    expect(service.output()).toContain('Sign in     admin@localhost')
    const me = await service.api('GET', '/api/me')
    expect(me).toMatchObject({ status: 200, body: { user: { email: 'admin@localhost' }, role: 'admin' } })
    const curl = /curl .*\/api\/me/.exec(service.output())![0]
    expect(curl).toContain('Authorization: Bearer')
  })

  test('it has six queries to look at, and each runs', async () => {
    const { body } = await service.api('GET', '/api/queries/refs')
    const { items } = body as Listed
    expect(items).toHaveLength(6)
    const queries = (await service.api('GET', '/api/queries')).body as Listed
    for (const { id } of queries.items) {
      expect((await service.api('POST', `/api/queries/${id}/refresh`)).status).toBe(202)
      await untilEnded(service, id)
      const result = await service.api('GET', `/api/queries/${id}/result`)
      expect(result.status).toBe(200)
      expect((result.body as { rowCount: number }).rowCount).toBeGreaterThan(0)
    }
  })

  test('its key and its folder are for its owner only', async () => {
    const key = await stat(path.join(dataDirectory, 'secret.key'))
    expect(key.mode & 0o777).toBe(0o600)
  })

  test('a second process on the same folder is turned away and does no harm', async () => {
    const second = await startServiceProcess({ dataDirectory })
    expect(await second.stop()).toMatchObject({ code: 1 })
    expect(second.output()).toMatch(/DATA_DIR=.*: process \d+ is using this folder/)
    const command = await resetPassword('admin@localhost', { DATA_DIR: dataDirectory })
    expect(command).toMatchObject({ code: 1, output: expect.stringMatching(/process \d+ is using this folder/) })
    expect((await service.api('GET', '/api/me')).status).toBe(200)
  })

  test('an address in use is told with what to do', async () => {
    const other = await preparedDataDirectory()
    const port = new URL(service.baseUrl).port
    const second = await startServiceProcess({ dataDirectory: other, environment: { PORT: port } })
    expect(await second.stop()).toMatchObject({ code: 1 })
    expect(second.output()).toContain('EADDRINUSE')
    expect(second.output()).toContain('Example: PORT=')
    await rm(other, { recursive: true, force: true })
  })

  test('a bad setting stops the start with a message', async () => {
    const second = await startServiceProcess({ dataDirectory, environment: { RESULT_TTL_HOURS: 'soon' } })
    expect(await second.stop()).toMatchObject({ code: 1 })
    expect(second.output()).toContain('RESULT_TTL_HOURS=soon: the value is not a number')
    expect(second.output()).not.toContain('at readConfig')
  })

  test('kill -9 loses nothing that was acknowledged, and no run is left running', async () => {
    const { items } = (await service.api('GET', '/api/queries/refs')).body as Listed
    const queries = ((await service.api('GET', '/api/queries')).body as Listed).items
    const acknowledged = new Map<string, string>()
    const created: string[] = []
    // Writes go on until the process is gone in the middle of them.
    let isKilled = false
    async function write(shortId: string, queryId: string) {
      for (let count = 0; !isKilled; count++) {
        const title = `Title ${count}`
        try {
          const changed = await service.api('PUT', `/api/queries/refs/${shortId}`, { title })
          if (changed.status === 200) acknowledged.set(shortId, title)
          const made = await service.api('POST', '/api/queries/refs', { queryId })
          if (made.status === 201) created.push((made.body as { shortId: string }).shortId)
          await service.api('POST', `/api/queries/${queryId}/refresh`)
        } catch {
          return
        }
      }
    }
    const writers = items.slice(0, 4).map(({ shortId }, index) => write(shortId, queries[index]!.id))
    await until(() => created.length >= 40)
    await service.stop('SIGKILL')
    isKilled = true
    await Promise.all(writers)
    const children = enginesOf(service.process.pid!)

    service = await startServiceProcess({ dataDirectory })
    for (const [shortId, title] of acknowledged) {
      const answer = await service.api('GET', `/api/queries/refs/${shortId}`)
      // The write after the last acknowledged one may have been carried out too; an older title would be a loss.
      const found = Number((answer.body as { title: string }).title.split(' ')[1])
      expect(found).toBeGreaterThanOrEqual(Number(title.split(' ')[1]))
    }
    for (const shortId of created) {
      expect((await service.api('GET', `/api/queries/refs/${shortId}`)).status).toBe(200)
    }
    for (const { id } of queries) await untilEnded(service, id)
    expect(children).toEqual([])
  })

  test('Ctrl-C stops it cleanly, and the next start has all data', async () => {
    const before = (await service.api('GET', '/api/queries/refs?limit=100')).body as Listed
    expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null })
    const link = await makePasswordLink(dataDirectory, service.baseUrl)
    service = await startServiceProcess({ dataDirectory })
    const after = (await service.api('GET', '/api/queries/refs?limit=100')).body as Listed
    expect(after).toEqual(before)
    expect(service.output()).not.toContain('First start')
    const answer = await fetch(`${service.baseUrl}/app/api/password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: link, password: 'a password from the link' }),
    })
    expect(answer.status).toBe(204)
  })

  test('asked to stop, it finishes the requests it has begun', async () => {
    const answers = Array.from({ length: 20 }, () => service.api('GET', '/api/queries/refs'))
    const first = await answers[0]
    const ended = service.stop('SIGTERM')
    expect(first!.status).toBe(200)
    const settled = await Promise.allSettled(answers)
    // Begun requests are answered; what was not yet accepted is refused, never cut off half-way.
    const statuses = settled.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 'refused'))
    expect(new Set([200, 'refused', ...statuses])).toEqual(new Set([200, 'refused']))
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(await readFile(path.join(dataDirectory, 'lock'), 'utf8').catch(() => 'gone')).toBe('gone')
  })
})

/** The engine's processes that outlived their service; their command line names it. */
function enginesOf(servicePid: number): string[] {
  const all = execFileSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' }).split('\n')
  return all.filter((line) => line.trim().startsWith(`${servicePid} `) && line.includes('duckdb'))
}

async function untilEnded(service: ServiceProcess, queryId: string): Promise<void> {
  await until(async () => {
    const { body } = await service.api('GET', `/api/queries/${queryId}`)
    const { latestRun } = body as { latestRun: { status: string } | null }
    return !latestRun || ['completed', 'failed'].includes(latestRun.status)
  })
}

/** By the operator's command, which needs the folder to itself. */
async function makePasswordLink(dataDirectory: string, baseUrl: string): Promise<string> {
  const environment = { DATA_DIR: dataDirectory, PORT: new URL(baseUrl).port }
  const made = await resetPassword('ADMIN@localhost', environment)
  expect(made.code).toBe(0)
  const unknown = await resetPassword('nobody@localhost', environment)
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('no account with the e-mail address nobody@localhost') })
  return /^ {2}http:\/\/localhost:\d+\/reset#([\w-]{43})$/m.exec(made.output)![1]!
}

function resetPassword(email: string, environment: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ...environment }
    const args = [...quickToCompile, 'apps/cli/bin/querypost.mjs', 'reset-password', email]
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })
}
