import { soundWorkRules } from '../store/sound-work-rules.ts'
import type { BrokenEngine } from './broken-engine.ts'

export const brokenAgentRuns: readonly BrokenEngine[] = [
  {
    name: 'given back counts as an attempt',
    noticedBy: ['agent runs'],
    workRules: { countsGivenBackAttempt: true },
  },
  {
    name: 'event apart from the end',
    noticedBy: ['agent runs'],
    workRules: { isEventInTheSameTransaction: false },
  },
  {
    name: 'chat not fenced',
    noticedBy: ['agent runs'],
    workRules: { isMessageFenced: false },
  },
  {
    name: 'agent run end not fenced',
    noticedBy: ['agent runs'],
    workRules: { isHeld: (row, lease, kind) => kind === 'agent runs' || soundWorkRules.isHeld(row, lease, kind) },
  },
  {
    name: 'a fourth attempt',
    noticedBy: ['agent runs'],
    workRules: { attemptsMax: 4 },
  },
  {
    name: 'two last messages',
    noticedBy: ['agent runs'],
    workRules: { lastMessageCount: 2 },
  },
  {
    name: 'run survives its chat',
    noticedBy: ['agent runs'],
    workRules: { isRunDeletedWithChat: false },
  },
  {
    name: 'agent leases by machine clock',
    noticedBy: ['agent runs'],
    workRules: { nowOf: (work, kind) => (kind === 'agent runs' ? work.callerNow : work.now) },
  },
  {
    name: 'stops not read',
    noticedBy: ['agent runs'],
    spoils: { agentRuns: (deps) => ({ ...deps, agentRuns: { ...deps.agentRuns, readStops: async () => [] } }) },
  },
]
