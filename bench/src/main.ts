/**
 * `npm run bench -- <benchmark> [part …]`: measures, prints a table and writes it to bench/results/.
 * `npm run bench -- profile <file> [function]`: shows where the time of a .cpuprofile went.
 */
const benchmarks: Record<string, { parts: string; run(parts: string[]): Promise<void> }> = {
  api: {
    parts: '[lists] [result] [refresh] [requests] [lookups] [memory] [start]',
    run: async (parts) => (await import('./api/bench-api.ts')).benchApi(parts),
  },
  delivery: {
    parts: '[publishing] [throughput] [peers] [latency] [isolation] [recovery] [memory]',
    run: async (parts) => (await import('./delivery/bench-delivery.ts')).benchDelivery(parts),
  },
  order: {
    parts: '[throughput] [claims]',
    run: async (parts) => (await import('./delivery/bench-order.ts')).benchOrder(parts),
  },
  automations: {
    parts: '[embedded-shared] [embedded-own] [postgres-shared] [postgres-own]',
    run: async (parts) => (await import('./automations/bench-automations.ts')).benchAutomations(parts),
  },
  reports: {
    parts: '[together] [apart] [pinned]',
    run: async (parts) => (await import('./reports/bench-reports.ts')).benchReports(parts),
  },
  boards: {
    parts: '[opening] [runs]',
    run: async (parts) => (await import('./boards/bench-boards.ts')).benchBoards(parts),
  },
  'board-page': {
    parts: '[opening]',
    run: async (parts) => (await import('./board-page/bench-board-page.ts')).benchBoardPage(parts),
  },
  chats: {
    parts: '[opening]',
    run: async (parts) => (await import('./chats/bench-chats.ts')).benchChats(parts),
  },
  'first-token': {
    parts: '[page]',
    run: async (parts) => (await import('./first-token/bench-first-token.ts')).benchFirstToken(parts),
  },
  engines: {
    parts: '[postgres] [mysql] [clickhouse] [trino] [bigquery] [duckdb] [sqlite]',
    run: async (parts) => (await import('./engines/bench-engines.ts')).benchEngines(parts),
  },
  refs: {
    parts: '[tpch] [federated]',
    run: async (parts) => (await import('./refs/bench-refs.ts')).benchRefs(parts),
  },
  import: {
    parts: '[csv] [jsonl] [gzip]',
    run: async (parts) => (await import('./import/bench-import.ts')).benchImport(parts),
  },
  backup: {
    parts: '[50] [500]',
    run: async (parts) => (await import('./backup/bench-backup.ts')).benchBackup(parts),
  },
  knowledge: {
    parts: '[embedded] [postgres]',
    run: async (parts) => (await import('./knowledge/bench-knowledge.ts')).benchKnowledge(parts),
  },
  pages: {
    parts: '[home]',
    run: async (parts) => (await import('./pages/bench-pages.ts')).benchPages(parts),
  },
  'large-pages': {
    parts: '[list] [schema] [result]',
    run: async (parts) => (await import('./large-pages/bench-large-pages.ts')).benchLargePages(parts),
  },
  charts: {
    parts: '[size] [line]',
    run: async (parts) => (await import('./charts/bench-charts.ts')).benchCharts(parts),
  },
  history: {
    parts: '[cells] [rows] [compare] [why]',
    run: async (parts) => (await import('./history/bench-history.ts')).benchHistory(parts),
  },
  retention: {
    parts: '[events]',
    run: async (parts) => (await import('./retention/bench-retention.ts')).benchRetention(parts),
  },
  sizes: {
    parts: '[--scale 0.01] [--store embedded] [--match <pattern>]',
    run: async (parameters) => (await import('./sizes/bench-sizes.ts')).benchSizes(parameters),
  },
  processes: {
    parts: '[requests] [runs] [deliveries] [rest]',
    run: async (parts) => (await import('./processes/bench-processes.ts')).benchProcesses(parts),
  },
  soak: {
    parts: '[--minutes 60]',
    run: async (parameters) => (await import('./soak/bench-soak.ts')).benchSoak(parameters),
  },
  profile: {
    parts: '<file.cpuprofile> [function]',
    run: async ([file, name]) => (await import('./profile.ts')).printProfile(file!, name),
  },
}

// Ends with `process.exit`, so that the servers that were started end, too.
for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) process.once(signal, () => process.exit(code))

const [name = '', ...parts] = process.argv.slice(2)
const benchmark = benchmarks[name]
if (benchmark && (name !== 'profile' || parts[0])) await benchmark.run(parts)
else {
  console.error('Choose a benchmark:')
  for (const [known, each] of Object.entries(benchmarks)) console.error(`  npm run bench -- ${known} ${each.parts}`)
  process.exit(1)
}
