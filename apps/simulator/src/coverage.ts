import { portCalls } from './world/port-calls.ts'
import { mailServerKinds, reportDeedKinds, workDeedKinds } from './world/work-plan.ts'

/** Counts what happened, to detect faults that are never injected. */
export interface Coverage {
  count(what: string, times?: number): void
  counts: ReadonlyMap<string, number>
}

export function makeCoverage(counts = new Map<string, number>()): Coverage {
  return {
    counts,
    count: (what, times = 1) => void counts.set(what, (counts.get(what) ?? 0) + times),
  }
}

/** Needs several faults at one delivery, or one at a call that few worlds make. It happens in a few runs out of a thousand. */
export const rareCoverage: readonly string[] = [
  'delivery: held → delivered',
  'delivery: held → held',
  'fault: crash before store.release',
  'fault: crash after store.release',
  'fault: crash before store.slackQuestions.ask',
  'fault: crash after store.slackQuestions.ask',
]

/** Must happen at least once in a run of many seeds. */
export const expectedCoverage: readonly string[] = [
  ...portCalls.flatMap((call) =>
    call === 'clock.sleep' ? [`fault: crash before ${call}`] : [`fault: crash before ${call}`, `fault: crash after ${call}`],
  ),
  ...portCalls.flatMap((call) =>
    call.startsWith('store.') ? [`fault: error before ${call}`, `fault: error after ${call}`] : [],
  ),
  'fault: stall',
  'fault: suspension',
  'fault: wall clock jumps forwards',
  'fault: wall clock jumps backwards',
  'fault: only some records written',
  'fault: slow store',
  'fault: store away for a while',
  'fault: lost wake-up',
  'receiver: healthy',
  'receiver: slow',
  'receiver: late',
  'receiver: hangs',
  'receiver: status',
  'receiver: redirect',
  'receiver: refuses connections',
  'receiver: bad certificate',
  'receiver: cut in headers',
  'receiver: cut in body',
  'receiver: drips',
  'name: public',
  'name: private',
  'name: mixed',
  'name: fails',
  'name: does not exist',
  'name: slow',
  'name: hangs',
  'delivery: pending → delivered',
  'delivery: pending → exhausted',
  'delivery: pending → pending',
  'delivery: pending → held',
  'delivery: held → pending',
  'delivery: record refused',
  'delivery: lease expired and claimed again',
  'delivery: published as held',
  'endpoint: disabled by failures',
  'endpoint: warned',
  'endpoint: count reset by a success',
  'person: disable',
  'person: enable',
  'person: enable and send held',
  'person: delete',
  'person: change secret',
  'person: switch off',
  'person: switch on',
  'person: send test',
  'person: restart a worker',
  'publisher: committed',
  'publisher: rolled back',
  'fault: partition',
  'fault: store away during work',
  'fault: result store fails before',
  'fault: result store fails half-way',
  'fault: result store fails after',
  'fault: result store away for a while',
  'fault: slow result store',
  ...['quick', 'medium', 'slow', 'fails', 'hangs'].map((kind) => `statement: ${kind}`),
  ...['prompt', 'slow', 'ignores'].map((obedience) => `statement: interrupted, ${obedience}`),
  ...['answers', 'streams its answer', 'gives up', 'breaks', 'hangs', 'ignores'].map((ending) => `agent: ${ending}`),
  'agent: answers after an interruption',
  ...mailServerKinds.map((kind) => `mail server: ${kind}`),
  ...workDeedKinds.map((kind) => `person: ${kind}`),
  ...reportDeedKinds.map((kind) => `person: ${kind}`),
  ...['pending → running', 'pending → failed', 'running → completed', 'running → failed'].flatMap((move) => [
    `run: ${move}`,
    `agent run: ${move}`,
  ]),
  'agent run: running → pending',
  'e-mail: due → sent',
  'e-mail: due → failed',
  'e-mail: due → let go',
  'e-mail: attempted again',
  'kept result: due → archived',
  'kept result: storing fails',
  'kept result: attempted again',
  'report: due → prepared',
  'report: due → failed',
  'report: rendering fails',
  'report delivery: due → sent',
  'report delivery: due → failed',
  'report delivery: due → dropped',
  'report delivery: attempted again',
  'person: ask a question in Slack',
  'Slack question: due → waiting',
  'Slack question: waiting → due',
  'Slack question: due → answered',
  'Slack question: due → declined',
  'Slack question: due → failed',
  'Slack question: attempted again',
].filter((what) => !rareCoverage.includes(what))
