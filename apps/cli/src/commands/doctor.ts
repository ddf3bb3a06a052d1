import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findOwner } from '@querypost/server/configuration'
import { type Check, hasFailed, presentChecks } from '../check.ts'
import { Complaint, type Context, defineCommand } from '../command.ts'
import { lookAtConfiguration } from '../doctor/configuration.ts'
import { dataDirectory } from '../doctor/data-directory.ts'
import { engine } from '../doctor/engine.ts'
import { type Examination, examine } from '../doctor/examine.ts'
import { machine } from '../doctor/machine.ts'
import { mail, oidc } from '../doctor/outside.ts'
import { localUrl, runningService } from '../doctor/service.ts'
import { store } from '../doctor/store.ts'
import { makeProgressLine } from '../progress-line.ts'

const examinations: Examination[] = [machine, dataDirectory, runningService, store, engine, mail, oidc]

export const command = defineCommand({
  usage: '',
  description:
    'Looks for what keeps the service from working, with the settings that `querypost start` would use here: ' +
    'configuration, data directory\n' +
    'and disk, the running service, its store and migrations, the engines and the configured databases, ' +
    'clocks, mail and sign-in.\n' +
    'It changes nothing and sends nothing. Exit code 0: nothing has failed, though there may be warnings; 1: ' +
    'something has.',
  examples: [
    { line: 'querypost doctor', does: 'the service of this folder' },
    { line: 'DATA_DIR=/srv/querypost querypost doctor', does: 'another one' },
    { line: 'querypost doctor --json | jq \'.checks[] | select(.state == "failed")\'', does: 'for a program' },
  ],
  options: {},
  async run(context, { operands }) {
    if (operands.length > 0) throw new Complaint(2, 'It takes no words: it looks at everything.')
    const checks = await lookAtAll(context)
    const { stdout, isJson, paint } = context
    if (isJson) stdout.write(`${JSON.stringify({ isWell: !hasFailed(checks), checks })}\n`)
    else stdout.write(`${presentChecks(checks, paint.stdout)}\n${verdict(checks)}\n`)
    return hasFailed(checks) ? 1 : 0
  },
})

async function lookAtAll(context: Context): Promise<Check[]> {
  const { check, config } = lookAtConfiguration(context.environment)
  // Without settings nobody knows where to look.
  if (!config) return [check]
  const line = makeProgressLine(context)
  const workFolder = await mkdtemp(path.join(tmpdir(), 'querypost-doctor-'))
  const ownerId = config.databaseUrl === null ? await findOwner(config.dataDirectory) : undefined
  const named = context.url ?? context.environment['QUERYPOST_URL']?.trim()
  const url = named ? named.replace(/\/+$/, '') : localUrl(config)
  const checks = [check]
  try {
    for (const examination of examinations) {
      line.show(`Looking at ${examination.name} …`)
      checks.push(...(await examine(examination, { ...context, config, url, ownerId, workFolder })))
    }
    return checks
  } finally {
    line.clear()
    await rm(workFolder, { recursive: true, force: true })
  }
}

function verdict(checks: Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length
  const [failures, warnings] = [count('failed'), count('warning')]
  if (failures === 0 && warnings === 0) return 'All is well.'
  const parts = [
    failures > 0 && `${failures} failed`,
    warnings > 0 && `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
