import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestService, type TestOrganization, type TestService } from '@querypost/server/testing/suites'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { tryCommand } from '../../testing/command-context.ts'

/** The examples in docs/files.md, executed in a repository with a remote. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))
let service: TestService
let shop: TestOrganization
let folder: string
let repository: string
let environment: Record<string, string>
let workflow: { name: string; run: string }[]
let script: string
let signedScript: string
let url: string
let programs: string

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-ci-'))
  repository = path.join(folder, 'repository')
  programs = path.join(folder, 'bin')
  await mkdir(programs)
  await writeFile(path.join(programs, 'querypost'), `#!/bin/sh\nexec "${process.execPath}" "${root}apps/cli/bin/querypost.mjs" "$@"\n`)
  await chmod(path.join(programs, 'querypost'), 0o755)
  const author = { GIT_AUTHOR_NAME: 'CI', GIT_AUTHOR_EMAIL: 'ci@shop.test', GIT_COMMITTER_NAME: 'CI', GIT_COMMITTER_EMAIL: 'ci@shop.test' }
  const base = { HOME: folder, PATH: `${programs}:/usr/bin:/bin`, QUERYPOST_PRODUCTION_KEY: shop.admin.apiKey }
  environment = { ...base, ...author, GIT_CONFIG_NOSYSTEM: '1' }
  const docs = await readFile(`${root}docs/files.md`, 'utf8')
  const inCi = docs.slice(docs.indexOf('## Check and apply changes in CI'))
  workflow = parse(/```yaml\n(.*?)```/s.exec(inCi)![1]!).jobs.querypost.steps
  script = /```sh\n(.*?)```/s.exec(inCi)![1]!
  const signed = docs.slice(docs.indexOf('## Push without an API key'))
  signedScript = /```sh\n(.*?)```/s.exec(signed)![1]!
  await shell(`git init --quiet --bare --initial-branch main origin && git clone --quiet origin repository`, folder)
  await writeFile(path.join(repository, 'querypost.yaml'), `version: 1\nenvironments:\n  production:\n    url: ${url}\n    apiKeyVariable: QUERYPOST_PRODUCTION_KEY\n`)
  await tryCommand(['pull', repository], { environment })
  await commit('Pull')
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

async function shell(commands: string, cwd = repository): Promise<{ exitCode: number; output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', commands], { cwd, env: environment })
    return { exitCode: 0, output: `${stdout}${stderr}` }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { exitCode: code, output: `${stdout}${stderr}` }
  }
}
const commit = (message: string) => shell(`git checkout --quiet -B main && git add . && git commit --quiet -m "${message}" && git push --quiet -u origin main`)
const step = (wanted: string) => workflow.find(({ name }) => name === wanted)!.run
const titles = async () =>
  (await shop.admin.api('GET', '/api/references')).json<{ items: { title: string }[] }>().items.map(({ title }) => title).toSorted()

test('the workflow checks a pull request, and pushes the main branch with the state file', async () => {
  await writeFile(path.join(repository, 'first.sql'), '-- title: First\n-- database: Numbers\n\nselect 1\n')
  await commit('Add a query')
  const checked = await shell(step('Check'))
  expect(checked, checked.output).toMatchObject({ exitCode: 0, output: expect.stringContaining('create    first.sql') })
  expect(await titles()).toEqual([])
  const pushed = await shell(step('Push'))
  expect(pushed, pushed.output).toMatchObject({ exitCode: 0 })
  expect(await titles()).toEqual(['First'])
  expect((await shell('git show --stat origin/main')).output).toContain('.querypost/production.json')
})

test('the shell script pushes the next commit, and refuses when someone has changed a page', async () => {
  await writeFile(path.join(repository, 'first.sql'), '-- title: Renamed\n-- database: Numbers\n\nselect 1\n')
  await commit('Rename it')
  const pushed = await shell(script)
  expect(pushed, pushed.output).toMatchObject({ exitCode: 0 })
  expect(await titles()).toEqual(['Renamed'])
  const [{ shortId }] = (await shop.admin.api('GET', '/api/references')).json<{ items: [{ shortId: string }] }>().items
  await shop.admin.api('PATCH', `/api/references/${shortId}`, { title: 'On the page' })
  await writeFile(path.join(repository, 'first.sql'), '-- title: In the file\n-- database: Numbers\n\nselect 1\n')
  await commit('Rename it again')
  expect(await shell(script)).toMatchObject({ exitCode: 1, output: expect.stringContaining('conflict  first.sql') })
  expect(await titles()).toEqual(['On the page'])
})

test('the signed script pushes all files without an API key, and refuses a replay', async () => {
  const other = await service.addOrganization('signed')
  const given = { name: 'analytics', url: 'https://git.example/blob/main/' }
  const { id, secret } = (await other.admin.page('POST', '/app/api/git-repositories', given)).json<{ id: string; secret: string }>()
  // The script asks for the time, and the service has a clock of its own.
  await writeFile(path.join(programs, 'date'), `#!/bin/sh\necho ${Math.floor(service.clock.now().getTime() / 1000)}\n`)
  await chmod(path.join(programs, 'date'), 0o755)
  Object.assign(environment, { QUERYPOST_PUSH_URL: `${url}/git/${id}/push`, QUERYPOST_PUSH_SECRET: secret })
  await writeFile(path.join(repository, 'first.sql'), '-- title: Signed\n-- database: Numbers\n\nselect 1\n')
  await commit('Sign it')
  const pushed = await shell(signedScript)
  expect(pushed, pushed.output).toMatchObject({ exitCode: 0, output: expect.stringContaining('the query “Signed”') })
  const saved = (await other.admin.api('GET', '/api/references')).json<{ items: { title: string }[] }>()
  expect(saved.items.map(({ title }) => title)).toEqual(['Signed'])
  expect(await shell(signedScript)).toMatchObject({ exitCode: 22, output: expect.stringContaining('push_outdated') })
})
