import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '@querypost/server/testing'
import { buildStage, type DebianRoot, enter, runInside } from './debian-root.ts'
import { parseContainerfile } from './parse-containerfile.ts'
import { cacheFolder, deployFolder } from './paths.ts'

const stages = parseContainerfile(readFileSync(path.join(deployFolder, 'Containerfile'), 'utf8'))
const folder = mkdtempSync(path.join(tmpdir(), 'querypost-image-'))
let image: Awaited<ReturnType<typeof buildStage>>

beforeAll(async () => {
  const roots = new Map<string, DebianRoot>()
  for (const [index, stage] of stages.entries()) {
    image = await buildStage(stage, { base: path.join(cacheFolder, 'base'), folder: path.join(folder, String(index)), roots })
    if (stage.name) roots.set(stage.name, image)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('all stages start from the same Node image', () => {
  expect(new Set(stages.map(({ base }) => base))).toEqual(new Set(['docker.io/library/node:24-bookworm-slim']))
})

test('contains no sources, tests or development packages', async () => {
  const listed = await runInside(image, ['/bin/sh', '-c', 'ls /app /app/node_modules; find /app -name "*.test.*" -not -path "*/node_modules/*"'])
  expect(listed).toContain('@duckdb')
  for (const unwanted of ['fastify', 'vitest', 'typescript', 'playwright-core', '.test.', 'test\n']) expect(listed).not.toContain(unwanted)
})

test('runs as an ordinary user on a read-only file system, is healthy, and stops on SIGTERM; its data outlives it', async () => {
  const port = await freePort()
  const env = { PORT: String(port) }
  const serve = async () => {
    const container = enter(image, [...image.entrypoint, ...image.command], { env, isReadOnly: true })
    let output = ''
    for (const stream of [container.stdout!, container.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = new Promise<number | null>((resolve) => container.once('close', resolve))
    const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok, () => container.exitCode ?? false)
    await expect.poll(isReady, { message: output }).toBe(true)
    return { container, ended, output: () => output }
  }
  // Process 1 of the container is a child of `unshare`, which passes no signals on.
  const stop = ({ container }: Awaited<ReturnType<typeof serve>>) => execFileSync('pkill', ['-TERM', '-P', String(container.pid)])

  const first = await serve()
  expect(first.output()).toMatch(/qp_live_\w+/)
  await runInside(image, image.healthcheck, env)
  stop(first)
  expect(await first.ended).toBe(0)
  await expect(runInside(image, image.healthcheck, env)).rejects.toThrow('ended with 1')

  const again = await serve()
  expect(again.output()).not.toMatch(/qp_live_\w+/)
  stop(again)
  expect(await again.ended).toBe(0)
})

test('has the other commands', async () => {
  expect(await runInside(image, [...image.entrypoint, '--version'])).toMatch(/^\d+\.\d+\.\d+/)
})
