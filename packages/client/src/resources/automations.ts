import { RunFailedError, TimeoutError } from '../errors.ts'
import type { Automation, AutomationRun } from '../generated/schemas.ts'
import { makeLimit } from '../limit.ts'
import { pollUntil } from '../poll.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type ChangeOptions, type Input } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

export interface RunAndWaitOptions extends CallOptions {
  /** Called with the run at every poll: first when it is started, last when it has ended. */
  onRun?(run: AutomationRun): void
}

export interface Automations {
  /** All of them, newest first. */
  list(options?: ListOptions): List<Automation>
  get(automationId: string, options?: CallOptions): Promise<Automation>
  create(input: Input<'automations.create'>['body'], options?: WriteOptions): Promise<Automation>
  /** Changes the given fields. */
  update(automationId: string, changes: NonNullable<Input<'automations.update'>['body']>, options?: ChangeOptions): Promise<Automation>
  /** Its runs are kept. */
  delete(automationId: string, options?: ChangeOptions): Promise<Automation>
  /** Starts a run without waiting for it. */
  run(automationId: string, options?: WriteOptions): Promise<AutomationRun>
  /** Starts a run and waits for its end. A run that fails or is stopped rejects with `RunFailedError`. */
  runAndWait(automationId: string, options?: RunAndWaitOptions): Promise<AutomationRun>
}

export interface AutomationRuns {
  get(runId: string, options?: CallOptions): Promise<AutomationRun>
}

export function makeAutomations(transport: Transport): Automations {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'automations.list', { query }, options) }),
    get: (id, options) => callOperation(transport, 'automations.get', { params: { id } }, options),
    create: (body, options) => callOperation(transport, 'automations.create', { body }, options),
    update: (id, body, options) => callOperation(transport, 'automations.update', { params: { id }, body }, options),
    delete: (id, options) => callOperation(transport, 'automations.delete', { params: { id } }, options),
    run: (id, options) => callOperation(transport, 'automations.run', { params: { id } }, options),
    runAndWait: (id, options) => runAndWait(transport, id, options),
  }
}

export function makeAutomationRuns(transport: Transport): AutomationRuns {
  return { get: (id, options) => callOperation(transport, 'automationRuns.get', { params: { id } }, options) }
}

async function runAndWait(
  transport: Transport,
  automationId: string,
  options: RunAndWaitOptions = {},
): Promise<AutomationRun> {
  const { signal, timeoutMs, onRun } = options
  const message = `The run did not end within ${timeoutMs} ms. It is still running: check it again, or wait longer.`
  const onTimeout = (ms: number) => new TimeoutError({ message, timeoutMs: ms })
  const limit = makeLimit({ clock: transport.clock, timeoutMs, signal, onTimeout })
  const within = { signal: limit.signal }
  try {
    const started = await callOperation(transport, 'automations.run', { params: { id: automationId } }, within)
    onRun?.(started)
    const ended = await pollUntil(transport, limit.signal, async () => {
      const run = await callOperation(transport, 'automationRuns.get', { params: { id: started.id } }, within)
      onRun?.(run)
      return run.status === 'completed' || run.status === 'failed' ? run : undefined
    })
    if (ended.status === 'completed') return ended
    const reason = ended.reason ?? 'The service gave no reason.'
    throw new RunFailedError({ message: `The run ${ended.id} failed: ${reason}`, reason, run: ended })
  } finally {
    limit.end()
  }
}
