import { benchApi } from './api/bench-api.ts'
import { benchAutomations } from './automations/bench-automations.ts'
import { benchDelivery } from './delivery/bench-delivery.ts'
import { benchEngines } from './engines/bench-engines.ts'
import { benchPages } from './pages/bench-pages.ts'
import { printProfile } from './profile.ts'

/**
 * `npm run bench -- api|delivery|automations|engines|pages [part …]`: measures, prints one table and writes it to bench/results/.
 * `npm run bench -- profile <file> [function]`: says where the time of a .cpuprofile went.
 */
const [what, ...parts] = process.argv.slice(2)
if (what === 'api') await benchApi(parts)
else if (what === 'delivery') await benchDelivery(parts)
else if (what === 'automations') await benchAutomations(parts)
else if (what === 'engines') await benchEngines(parts)
else if (what === 'pages') await benchPages(parts)
else if (what === 'profile' && parts[0]) await printProfile(parts[0], parts[1])
else {
  console.error('Say what to measure:')
  console.error('  npm run bench -- api [lists] [result] [refresh] [requests] [start]')
  console.error('  npm run bench -- delivery [throughput] [peers] [latency] [isolation]')
  console.error('  npm run bench -- automations [embedded-shared] [embedded-own] [postgres-shared] [postgres-own]')
  console.error('  npm run bench -- engines [postgres] [mysql] [clickhouse] [duckdb]')
  console.error('  npm run bench -- pages [home]')
  console.error('  npm run bench -- profile <file.cpuprofile> [function]')
  process.exit(1)
}
