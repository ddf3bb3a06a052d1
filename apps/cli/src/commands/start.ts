import { startWithSmallHeap } from '../start-with-small-heap.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: '',
  description:
    'Starts the service and its web app, and runs until you stop it (Ctrl+C or SIGTERM). By default it keeps its data in\n' +
    './data and listens on http://localhost:3000. Settings are environment variables; see docs/configuration.md.',
  examples: [
    { line: 'querypost start', description: 'start with the defaults' },
    { line: 'PORT=3001 DATA_DIR=/srv/querypost querypost start', description: 'use another port and data folder' },
    { line: 'DATABASE_URL=postgres://… ROLE=worker querypost start', description: 'start a worker that shares a PostgreSQL server' },
  ],
  options: {},
  common: [],
  ownsSignals: true,
  async run({ environment }) {
    await startWithSmallHeap(async () => {
      const { runService } = await import('@querypost/server/service')
      await runService(environment)
    })
    return 0
  },
})
