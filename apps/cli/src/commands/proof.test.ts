import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

const result = { fields: [{ name: 'week', type: 'date' }, { name: 'revenue', type: 'decimal' }], rows: [['2026-01-05', '10.50'], ['2026-01-12', '21']], rowCount: 2 }
const packed = gzipSync(JSON.stringify(result))
const resultHash = createHash('sha256').update(packed).digest('base64url')
const source = { sql: 'select 1', parameters: {}, resultHash }
const own = { ...source, runId: 'run_now' }
const proof = {
  text: '**31.5**, up 100%',
  figures: [
    { id: 'f1', text: '31.5', value: '31.5', unit: '', ...own, expression: 'sum(revenue)' },
    {
      id: 'f2',
      text: '0',
      value: '0',
      unit: '',
      ...own,
      expression: 'difference(sum(revenue) of run_before, sum(revenue))',
      sources: [{ ...source, runId: 'run_before' }],
    },
  ],
}

let folder: string
const at = (...names: string[]) => path.join(folder, ...names)
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-proof-'))
  await writeFile(at('run_now.json'), JSON.stringify(result))
  await writeFile(at('run_before.json.gz'), packed)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const check = (content: unknown, args: string[] = ['--results', folder]) =>
  tryCommand(['proof', 'check', '-', ...args], { stdin: typeof content === 'string' ? content : JSON.stringify(content) })

test('check computes every figure again, one line each', async () => {
  const { exitCode, stdout, stderr } = await check(proof)
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toBe(
    '  proven      31.5  run_now: sum(revenue)\n' +
      '  proven      0     run_now: difference(sum(revenue) of run_before, sum(revenue))\n\n' +
      '2 of 2 figures are proven.\n',
  )
})

test('check fails for a figure that says something else, and says why', async () => {
  const forged = { ...proof, figures: [{ ...proof.figures[0], text: '999', value: '999' }, proof.figures[1]] }
  const { exitCode, stdout } = await check(forged)
  expect(exitCode).toBe(1)
  expect(stdout).toContain('not proven  999')
  expect(stdout).toContain('→ The value is 31.5, not 999.')
  expect(stdout).toContain('1 of 2 figures are proven.')
})

test('check fails for a result whose bytes have another hash', async () => {
  const [first, second] = proof.figures
  const other = { ...proof, figures: [first, { ...second, sources: [{ ...source, runId: 'run_before', resultHash: 'other' }] }] }
  const { exitCode, stdout } = await check(other, ['--results', folder, '--json'])
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    isProven: false,
    figures: [{ isProven: true }, { isProven: false, problem: 'The result of run_before is not the one that the proof names.' }],
    missingRunIds: [],
  })
})

test('check reads a large result as it is stored, and rejects one that is damaged', async () => {
  const large = zstdCompressSync(JSON.stringify(result))
  await writeFile(at('run_large.json.zst'), large)
  const figureWith = (hash: string) => ({ ...proof, figures: [{ ...proof.figures[0], runId: 'run_large', resultHash: hash }] })
  const hash = createHash('sha256').update(large).digest('base64url')
  expect((await check(figureWith(hash))).stdout).toContain('1 of 1 figures are proven.')
  expect((await check(figureWith('other'))).stdout).toContain('The result of run_large is not the one that the proof names.')
  await writeFile(at('run_large.json.zst'), 'odd')
  const { exitCode, stderr } = await check(figureWith(hash))
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('run_large.json.zst is not compressed with zstd')])
})

test('check names results that are missing, and the command that downloads them', async () => {
  const gone = { ...proof, figures: [{ ...proof.figures[0], runId: 'run_gone' }, { ...proof.figures[0], runId: '../run_now' }] }
  const { exitCode, stderr } = await check(gone)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('The result of run_gone is missing. `querypost proof get <run> --results <folder>` downloads it')
  expect(stderr).toContain('The result of ../run_now is missing.')
})

test.each<[string, unknown, string]>([
  ['text that is not JSON', '{', 'is not JSON'],
  ['something else', [], 'is not a proof'],
  ['figures without values', { text: '', figures: [{ id: 'f1' }] }, 'is not a proof'],
])('check rejects %s', async (_, content, words) => {
  const { exitCode, stdout, stderr } = await check(content)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})

test('check rejects a file that is not a result', async () => {
  await writeFile(at('run_odd.json'), '[]')
  const { exitCode, stderr } = await check({ ...proof, figures: [{ ...proof.figures[0], runId: 'run_odd' }] })
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('run_odd.json is not a result. Download it as JSON.')])
  expect((await tryCommand(['proof', 'check'])).stderr).toContain('Name one file with a proof')
})

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const answers: Record<string, () => Response> = {
  '/api/automation-runs/arun_1/proof': () => json(200, proof),
  '/api/chats/m4k2x8qdpw/messages/4/proof': () => json(200, { text: 'So.', figures: [] }),
  '/api/runs/run_now/result': () => json(200, result),
  '/api/runs/run_before/result': () => json(404, { code: 'result_expired', message: 'The cached result expired.' }),
}
const get = (...args: string[]) =>
  tryCommand(['proof', 'get', ...args], {
    environment: { QUERYPOST_API_KEY: 'qp_live_x' },
    fetch: async (input) => answers[new URL(new Request(input).url).pathname]?.() ?? json(404, { code: 'route_not_found', message: 'No.' }),
  })

test('get prints a proof and downloads the results that are still kept', async () => {
  const to = at('downloaded')
  const { exitCode, stdout, stderr } = await get('arun_1', '--results', to)
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toEqual(proof)
  expect(stderr).toBe('The result of run_before can’t be downloaded: The cached result expired.\n')
  expect(await readdir(to)).toEqual(['run_now.json'])
  expect(JSON.parse(await readFile(path.join(to, 'run_now.json'), 'utf8'))).toEqual(result)
})

test('get finds a message by its chat and number, or by its permalink', async () => {
  for (const message of ['m4k2x8qdpw#4', 'http://localhost:3000/chats/m4k2x8qdpw#4']) {
    expect(await get(message, '--json')).toEqual({ exitCode: 0, stdout: '{"text":"So.","figures":[]}\n', stderr: '' })
  }
})

test.each([[[]], [['run_1']], [['m4k2x8qdpw']], [['arun_1', 'arun_2']]])('get rejects %j', async (args) => {
  const { exitCode, stderr } = await get(...args)
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Name an automation run')])
})
