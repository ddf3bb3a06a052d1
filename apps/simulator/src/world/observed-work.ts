import type { MemoryWork } from '../store/memory-work.ts'
import type { Machine } from './machine.ts'
import type { Automation, WorkPlan } from './work-plan.ts'

/** What the world has observed of query runs, agent runs, schedules, e-mails, reports and kept results, in addition to the committed rows. */
export interface ObservedWork {
  plan: WorkPlan
  /** The committed rows. */
  tables: MemoryWork
  /** Machines by the owner name of their claims. */
  machineOf: Map<string, Machine>
  runs: Map<string, ObservedItem>
  agentRuns: Map<string, ObservedItem>
  automations: Map<string, Automation>
  /** Statements running at an engine, and agents at work. */
  statements: Set<ObservedActivity>
  agents: Set<ObservedActivity>
  /** The stored results of runs. `rowTotal` is the row count of the statement, according to the engine. */
  results: Map<string, { hash: string; rowCount: number; rowTotal: number }>
  sends: Map<string, ObservedSend[]>
  emailClaims: Map<string, { machine: Machine; atMs: number; attemptNumber: number; isRecorded: boolean }>
  /** The sets of values that were rendered for a job, by job and lease number. */
  renders: Map<string, string[]>
  /** The objects of the archive, and the runs whose results they hold. */
  archive: Map<string, string>
  /** The runs that answered for a day of a fill, and `missed` if the query failed, by fill and day. */
  fillAnswers: Map<string, Set<string>>
  /** By fill and day: the number of the last attempt that ran its query. */
  fillAttempts: Map<string, number>
  /** The times of agents' answers, by agent run. */
  answers: Map<string, { machine: Machine; summary: string }[]>
}

export interface ObservedItem {
  requestedMs: number
  /** The current lease holder. */
  holder: Holder | undefined
  stopRequestedMs: number | undefined
  endedMs: number | undefined
}

export interface Holder {
  machine: Machine
  atMs: number
  renewedMs: number
  leaseNumber: number
  /** When its work was interrupted. */
  interruptedMs: number | undefined
}

/** Records the interruption of a statement or an agent. */
export function interrupted(items: Map<string, ObservedItem>, activity: ObservedActivity, nowMs: number): void {
  activity.interruptedMs ??= nowMs
  const holder = items.get(activity.id)?.holder
  if (holder?.machine === activity.machine) holder.interruptedMs ??= nowMs
}

/** A statement at its engine, or an agent at its task. */
export interface ObservedActivity {
  machine: Machine
  id: string
  startedMs: number
  /** When it was interrupted. */
  interruptedMs: number | undefined
}

export interface ObservedSend {
  machine: Machine
  attemptNumber: number
  startedMs: number
  /** When the server accepted it. */
  takenMs: number | undefined
  /** When the worker learned the outcome. */
  endedMs: number | undefined
  isAnswerLost: boolean
  outcome: 'taken' | 'rejected temporarily' | 'rejected permanently' | undefined
}

export function makeObservedWork(plan: WorkPlan, tables: MemoryWork): ObservedWork {
  return {
    plan,
    tables,
    machineOf: new Map(),
    runs: new Map(),
    agentRuns: new Map(),
    automations: new Map(plan.automations.map((automation) => [automation.id, automation])),
    statements: new Set(),
    agents: new Set(),
    results: new Map(),
    sends: new Map(),
    emailClaims: new Map(),
    renders: new Map(),
    archive: new Map(),
    fillAnswers: new Map(),
    fillAttempts: new Map(),
    answers: new Map(),
  }
}
