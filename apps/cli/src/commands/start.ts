import { defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: '',
  description:
    'Starts the service with its pages, and runs until it is asked to stop (Ctrl-C, SIGTERM). Without settings it keeps its state under\n' +
    './data and listens on http://localhost:3000. Settings are environment variables; docs/configuration.md lists them.',
  examples: [
    { line: 'querypost start', does: 'on embedded defaults' },
    { line: 'PORT=3001 DATA_DIR=/srv/querypost querypost start', does: 'elsewhere' },
    { line: 'DATABASE_URL=postgres://… ROLE=worker querypost start', does: 'one of many processes on a PostgreSQL' },
  ],
  options: {},
  common: [],
  ownsSignals: true,
  async run({ environment }) {
    const { runService } = await import('@querypost/server/service')
    await runService(environment)
    return 0
  },
})
