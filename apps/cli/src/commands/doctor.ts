import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findOwner } from '@querypost/server/configuration'
import { type Check, hasFailed, formatChecks } from '../checks.ts'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { backups } from '../doctor/backups.ts'
import { bucket } from '../doctor/bucket.ts'
import { checkConfiguration } from '../doctor/configuration.ts'
import { dataDirectory } from '../doctor/data-directory.ts'
import { engine } from '../doctor/engine.ts'
import { type Examination, runExamination } from '../doctor/examination.ts'
import { machine } from '../doctor/machine.ts'
import { mail, oidc } from '../doctor/mail-and-sign-in.ts'
import { localUrl, runningService } from '../doctor/service.ts'
import { store } from '../doctor/store.ts'
import { makeProgressLine } from '../progress-line.ts'

const examinations: Examination[] = [machine, dataDirectory, backups, runningService, store, bucket, engine, mail, oidc]

export const command = defineCommand({
  usage: '',
  description:
    'Checks everything the service needs, with the settings that `querypost start` would use: configuration, data ' +
    'directory and disk, the age of backups, the running service, its store and migrations, engines, configured databases ' +
    'and channels, S3, clocks, e-mail and sign-in.\n\n' +
    'It changes nothing and sends nothing. Exit code 0: no check failed (there may be warnings); 1: a check failed.',
  examples: [
    { line: 'querypost doctor', description: 'check the service of this folder' },
    { line: 'DATA_DIR=/srv/querypost querypost doctor', description: 'check another data folder' },
    { line: 'querypost doctor --json | jq \'.checks[] | select(.state == "failed")\'', description: 'list failed checks as JSON' },
  ],
  options: {},
  async run(context, { operands }) {
    if (operands.length > 0) throw new CommandError(2, '`querypost doctor` takes no arguments. It checks everything.')
    const checks = await runAll(context)
    const { stdout, isJson, paint } = context
    if (isJson) stdout.write(`${JSON.stringify({ isWell: !hasFailed(checks), checks })}\n`)
    else stdout.write(`${formatChecks(checks, paint.stdout)}\n${verdict(checks)}\n`)
    return hasFailed(checks) ? 1 : 0
  },
})

async function runAll(context: Context): Promise<Check[]> {
  const { check, config } = checkConfiguration(context.environment)
  // Without valid settings there is nothing else to check.
  if (!config) return [check]
  const line = makeProgressLine(context)
  const workFolder = await mkdtemp(path.join(tmpdir(), 'querypost-doctor-'))
  const ownerId = config.databaseUrl === null ? await findOwner(config.dataDirectory) : undefined
  const named = context.url ?? context.environment['QUERYPOST_URL']?.trim()
  const url = named ? named.replace(/\/+$/, '') : localUrl(config)
  const checks = [check]
  try {
    for (const examination of examinations) {
      line.show(`Checking ${examination.name}…`)
      checks.push(...(await runExamination(examination, { ...context, config, url, ownerId, workFolder })))
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
  if (failures === 0 && warnings === 0) return 'All checks passed.'
  const parts = [
    failures > 0 && `${failures} failed`,
    warnings > 0 && `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}
