import type { ResultStreamOptions } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { makeProgressLine } from '../progress-line.ts'
import { findQuery, type FoundQuery } from '../query/find-query.ts'
import { type OutputChoice, readOutputChoice, resultOptions } from '../query/formats.ts'
import { type GivenValues, readParameterValues, valuesFor } from '../query/parameter-values.ts'
import { startRunWithParameters } from '../query/run-with-parameters.ts'
import { refreshOrJoin, runAndWait, type RunProgress } from '../query/wait-for-run.ts'
import { writeResult } from '../query/write-result.ts'
import { toCommandError, openClient } from '../service-client.ts'

export const command = defineCommand({
  usage: '<permalink | shortId | queryId>',
  description:
    'Runs a query, waits for it to finish and shows the result. Without --param it uses the parameter values of the last run; ' +
    'with --param, parameters you leave out get their defaults.\n\n' +
    'If the query is already running, the command waits for that run. If you interrupt the command, the run continues.',
  examples: [
    { line: 'querypost query run http://localhost:3000/q/k7Rm2QwXn4', description: 'run a query by its permalink' },
    { line: 'querypost query run k7Rm2QwXn4 --param country=DE --param since=2026-01-01', description: 'set its parameters' },
    { line: "querypost query run k7Rm2QwXn4 --param countries=DE --param countries=FR --param 'period=last 30 days'", description: 'a list and a date range' },
    { line: 'querypost query run k7Rm2QwXn4 --format csv > orders.csv', description: 'fresh rows for another program' },
    { line: 'querypost query run k7Rm2QwXn4 --output orders.parquet', description: 'write a file' },
    { line: 'querypost query run k7Rm2QwXn4 --no-wait --json', description: 'start it and return at once' },
  ],
  options: {
    param: { type: 'string', multiple: true, short: 'p', value: 'name=value', description: 'set a parameter; repeat for more' },
    ...resultOptions,
    'no-wait': { type: 'boolean', default: false, description: 'start the run, print its id and return' },
  },
  async run(context, { operands, options }) {
    const choice = readOutputChoice(context, options)
    const givenValues = options.param && readParameterValues(options.param)
    const client = openClient(context)
    const { signal } = context
    let latest: RunProgress | undefined
    const line = makeProgressLine(context)
    try {
      const query = await findQuery(client, operands, signal)
      const { queryId, name } = query
      const startWithValues = givenValues && prepareStart(context, query, givenValues)
      if (options['no-wait']) {
        printStarted(context, await (startWithValues?.() ?? client.queries.refresh(queryId, { signal })), name)
        return 0
      }
      const onJoined = () => context.stderr.write('The query is already running; waiting for that run.\n')
      const { latestRunMetadata } = await runAndWait(context, client, {
        queryId,
        start: startWithValues ?? (() => refreshOrJoin(client, { queryId, onJoined }, signal)),
        onProgress(progress) {
          latest = progress
          line.show(describeProgress(progress))
        },
      })
      line.clear()
      if (choice.format === 'table' || choice.output !== undefined) printDuration(context, latestRunMetadata)
      const open = (format: Pick<ResultStreamOptions, 'format' | 'isRaw'>) => client.queries.resultStream(queryId, { signal: context.signal, ...format })
      await writeResult(context, { open, choice, rowCount: latestRunMetadata?.rowCount ?? null })
      return 0
    } catch (error) {
      line.clear()
      if (!signal.aborted) throw toCommandError(error)
      printInterrupted(context, latest, operands[0]!, choice)
      return 1
    }
  },
})

/** Checks the parameters first: nothing runs with a misspelled one. */
function prepareStart(context: Context, { reference }: FoundQuery, given: GivenValues) {
  if (!reference) throw new CommandError(2, '--param needs a saved query. Name it by its permalink or short id.')
  const parameterValues = valuesFor(given, reference)
  return () => startRunWithParameters(context, { shortId: reference.shortId, parameterValues })
}

function describeProgress({ status, elapsedMs, rowsRead }: RunProgress): string {
  const rows = rowsRead ? `, ${rowsRead.toLocaleString('en-US')} rows read` : ''
  return `${status} ${(elapsedMs / 1000).toFixed(1)} s${rows}`
}

function printStarted({ isJson, stdout, stderr }: Context, run: { id: string; status: string }, name: string) {
  stdout.write(isJson ? `${JSON.stringify(run)}\n` : `${run.id}\n`)
  if (!isJson) stderr.write(`When the run has finished: querypost query result ${name}\n`)
}

function printDuration({ stderr, paint }: Context, metadata: { durationMs: number | null } | null) {
  const durationMs = metadata?.durationMs ?? null
  if (durationMs !== null) stderr.write(`${paint.stderr.dim(`Completed in ${(durationMs / 1000).toFixed(1)} s.`)}\n`)
}

function printInterrupted({ stderr }: Context, latest: RunProgress | undefined, given: string, { format }: OutputChoice) {
  if (latest === undefined || latest.status === 'completed') return
  const formatOption = format === 'table' ? '' : ` --format ${format}`
  stderr.write(`The run ${latest.runId} continues. When it has finished: querypost query result ${given}${formatOption}\n`)
}
