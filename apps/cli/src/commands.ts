import type { Command } from './command.ts'

export interface ListedCommand {
  group: 'The service' | 'Webhooks' | 'Queries'
  summary: string
  /** Loaded when it is called: to start the service takes modules by the hundred, to verify a request three. */
  load(): Promise<{ command: Command }>
}

/** All commands, in the order in which the help lists them. */
export const commands: Record<string, ListedCommand> = {
  start: {
    group: 'The service',
    summary: 'start the service here',
    load: () => import('./commands/start.ts'),
  },
  'reset-password': {
    group: 'The service',
    summary: 'print a link by which somebody chooses another password',
    load: () => import('./commands/reset-password.ts'),
  },
}
