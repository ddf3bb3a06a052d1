// `npm run fuzz -- --cases 10000 --seed 7`: sends random valid and invalid requests to every route and reports faulty responses.
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { seed: { type: 'string' }, cases: { type: 'string', default: '10000' } } })
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const cases = Number(values.cases)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(cases) || cases < 1) {
  process.stderr.write('Usage: npm run fuzz -- [--seed <whole number>] [--cases <how many>]\n')
  process.exit(2)
}
process.stdout.write(`Seed ${seed}. To send the same again: npm run fuzz -- --seed ${seed} --cases ${cases}\n`)
const config = 'test/fuzz/vitest.config.ts'
const vitest = await startVitest('test', [], { config, watch: false, provide: { fuzz: { seed, cases } } })
await vitest.close()
