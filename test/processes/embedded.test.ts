import { execFile, execFileSync } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { freePort } from '@querypost/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTour } from '../docs/tour.ts'
import { until } from '../faults/until.ts'
import { newDataDirectory, quickToCompile, type ServiceProcess, startServiceProcess, testKey } from '../service-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Listed {
  items: { id: string; shortId: string; title: string; latestRun: { status: string } | null }[]
}

describe('the service with embedded defaults', () => {
  let dataDirectory: string
  let service: ServiceProcess

  beforeAll(async () => {
    dataDirectory = await newDataDirectory()
    service = await startServiceProcess({ dataDirectory, environment: { LOG_LEVEL: 'info' } })
  })
  afterAll(async () => {
    await service.stop('SIGKILL')
    await rm(dataDirectory, { recursive: true, force: true })
  })

  test('greets on the first start and logs JSON outside a terminal', async () => {
    const lines = service.output().split('\n')
    const greeting = lines.findIndex((line) => line.startsWith('Querypost is running at http://localhost:'))
    expect(lines.slice(greeting + 2, greeting + 8)).toEqual([
      '  E-mail       admin@localhost',
      '  Password     the value of BOOTSTRAP_PASSWORD',
      '  API key      the value of BOOTSTRAP_API_KEY',
      '',
      `  Data         ${dataDirectory}`,
      expect.stringMatching(/^ {2}Docs {9}http:\/\/localhost:\d+\/docs$/),
    ])
    const before = lines.slice(0, greeting).filter((line) => line !== '')
    const [steps, logged] = [before.filter((line) => !line.startsWith('{')), before.filter((line) => line.startsWith('{'))]
    expect(steps).toEqual([expect.stringMatching(/^Creating the embedded database: [\d.]+ s$/), expect.stringMatching(/^Loading sample data: /)])
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toContain('embedded store unpacked from its image')
    const me = await service.api('GET', '/api/me')
    expect(me).toMatchObject({ status: 200, body: { user: { email: 'admin@localhost' }, role: 'admin' } })
  })

  test("every line of the README's tour works, in order", async () => {
    const folder = await newDataDirectory()
    const { baseUrl } = service
    const [queries, receiver, last] = await runTour({ baseUrl, apiKey: testKey, folder, receiverPort: await freePort() })
    expect(queries).toContain('Refund rate of a warehouse')
    expect(queries).toMatch(/automation\.run\.completed .* → 204/)
    expect(receiver).toMatch(/stored evt_\w+ automation\.run\.completed/)
    expect(last).toMatch(/^Genuine\.$/m)
    expect(await readFile(path.join(folder, 'rows.csv'), 'utf8')).toMatch(/^\w+,\w+/)
    await rm(folder, { recursive: true, force: true })
  })

  test('has eleven sample queries, and each runs', async () => {
    const { body } = await service.api('GET', '/api/queries/refs')
    const { items } = body as Listed
    expect(items).toHaveLength(11)
    const queries = (await service.api('GET', '/api/queries')).body as Listed
    for (const { id } of queries.items) {
      expect((await service.api('POST', `/api/queries/${id}/refresh`)).status).toBe(202)
      await untilEnded(service, id)
      const result = await service.api('GET', `/api/queries/${id}/result`)
      expect(result.status).toBe(200)
      expect((result.body as { rowCount: number }).rowCount).toBeGreaterThan(0)
    }
  })

  test('only the owner can read the key', async () => {
    const key = await stat(path.join(dataDirectory, 'secret.key'))
    expect(key.mode & 0o777).toBe(0o600)
  })

  test('rejects a second process on the same folder', async () => {
    const second = await startServiceProcess({ dataDirectory })
    expect(await second.stop()).toMatchObject({ code: 1 })
    expect(second.output()).toMatch(/DATA_DIR=.*: process \d+ is using this folder/)
    const command = await resetPassword('admin@localhost', { DATA_DIR: dataDirectory })
    expect(command).toMatchObject({ code: 1, output: expect.stringMatching(/process \d+ is using this folder/) })
    expect((await service.api('GET', '/api/me')).status).toBe(200)
  })

  test('an invalid setting stops the start with a message', async () => {
    const second = await startServiceProcess({ dataDirectory, environment: { RESULT_TTL_HOURS: 'soon' } })
    expect(await second.stop()).toMatchObject({ code: 1 })
    expect(second.output()).toContain('RESULT_TTL_HOURS=soon: the value is not a number')
    expect(second.output()).not.toContain('at readConfig')
  })

  test('kill -9 loses nothing acknowledged and leaves no run running', async () => {
    const { items } = (await service.api('GET', '/api/queries/refs')).body as Listed
    const queries = ((await service.api('GET', '/api/queries')).body as Listed).items
    const acknowledged = new Map<string, string>()
    const created: string[] = []
    // Keep writing until the process is killed.
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
    await until(() => created.length >= 20)
    await service.stop('SIGKILL')
    isKilled = true
    await Promise.all(writers)
    const children = enginesOf(service.process.pid!)

    service = await startServiceProcess({ dataDirectory, environment: { LOG_LEVEL: 'info' }, isAtTerminal: true })
    for (const [shortId, title] of acknowledged) {
      const answer = await service.api('GET', `/api/queries/refs/${shortId}`)
      // The write after the last acknowledged one may have succeeded too. An older title would be a loss.
      const found = Number((answer.body as { title: string }).title.split(' ')[1])
      expect(found).toBeGreaterThanOrEqual(Number(title.split(' ')[1]))
    }
    for (const shortId of created) {
      expect((await service.api('GET', `/api/queries/refs/${shortId}`)).status).toBe(200)
    }
    for (const { id } of queries) await untilEnded(service, id)
    expect(children).toEqual([])
  })

  test('at a terminal the log is text, and nothing interrupts the greeting', async () => {
    await service.api('GET', '/api/me')
    const output = () => stripVTControlCharacters(service.output()).replaceAll('\r', '')
    await expect.poll(output).toMatch(/^\d\d:\d\d:\d\d info  request completed  .*method=GET route=\/api\/me status=200 /m)
    expect(output()).not.toMatch(/^\{/m)
    expect(output()).toContain(
      `\n  Sign in with your e-mail and password. Forgotten? Run: npx querypost reset-password <e-mail>\n\n  Data         ${dataDirectory}\n`,
    )
    expect(output()).toMatch(/\/docs\n {2}Stop {9}Ctrl\+C\n\n/)
  })

  test('Ctrl+C stops it cleanly, and the next start has all data', async () => {
    const before = (await service.api('GET', '/api/queries/refs?limit=100')).body as Listed
    expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null })
    const link = await makePasswordLink(dataDirectory, service.baseUrl)
    service = await startServiceProcess({ dataDirectory })
    const after = (await service.api('GET', '/api/queries/refs?limit=100')).body as Listed
    expect(after).toEqual(before)
    expect(service.output()).not.toMatch(/Creating|Loading/)
    const answer = await fetch(`${service.baseUrl}/app/api/password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: link, password: 'a password from the link' }),
    })
    expect(answer.status).toBe(204)
  })

  test('SIGTERM lets started requests finish', async () => {
    const answers = Array.from({ length: 20 }, () => service.api('GET', '/api/queries/refs'))
    const first = await answers[0]
    const ended = service.stop('SIGTERM')
    expect(first!.status).toBe(200)
    const settled = await Promise.allSettled(answers)
    // Started requests get a response. Others are refused, never cut off.
    const statuses = settled.map((answer) => (answer.status === 'fulfilled' ? answer.value.status : 'refused'))
    expect(new Set([200, 'refused', ...statuses])).toEqual(new Set([200, 'refused']))
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(await readFile(path.join(dataDirectory, 'lock'), 'utf8').catch(() => 'gone')).toBe('gone')
  })
})

/** Engine processes that outlived their service. */
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

/** Runs the operator's command, which needs exclusive use of the folder. */
async function makePasswordLink(dataDirectory: string, baseUrl: string): Promise<string> {
  const environment = { DATA_DIR: dataDirectory, PORT: new URL(baseUrl).port }
  const made = await resetPassword('ADMIN@localhost', environment)
  expect(made.code).toBe(0)
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
