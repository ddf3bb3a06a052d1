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
  backup: {
    group: 'The service',
    summary: 'write all of its state into one file, while it runs',
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    group: 'The service',
    summary: 'bring back a backup',
    load: () => import('./commands/restore.ts'),
  },
  doctor: {
    group: 'The service',
    summary: 'look for what keeps the service from working',
    load: () => import('./commands/doctor.ts'),
  },
  listen: {
    group: 'Webhooks',
    summary: 'show events as they come, and forward them to a receiver on your machine',
    load: () => import('./commands/listen.ts'),
  },
  trigger: {
    group: 'Webhooks',
    summary: 'send a sample event to those who listen, or to an endpoint',
    load: () => import('./commands/trigger.ts'),
  },
  verify: {
    group: 'Webhooks',
    summary: 'check a captured request, and say what is wrong with it',
    load: () => import('./commands/verify.ts'),
  },
  'query list': {
    group: 'Queries',
    summary: 'list queries by their permalinks',
    load: () => import('./commands/query-list.ts'),
  },
  'query run': {
    group: 'Queries',
    summary: 'run a query again, wait for it, and show its result',
    load: () => import('./commands/query-run.ts'),
  },
  'query result': {
    group: 'Queries',
    summary: 'show a cached result, or write it as CSV, JSON, Parquet or Arrow',
    load: () => import('./commands/query-result.ts'),
  },
}
