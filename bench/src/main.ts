import { benchApi } from './api/bench-api.ts'

/** `npm run bench -- api [part …]`: measures, prints one table and writes it to bench/results/. */
const [what, ...parts] = process.argv.slice(2)
if (what !== 'api') {
  console.error('Say what to measure: npm run bench -- api [lists] [result] [refresh] [requests] [start]')
  process.exit(1)
}
await benchApi(parts)
