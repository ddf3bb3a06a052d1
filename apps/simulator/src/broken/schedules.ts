import type { BrokenEngine } from './broken-engine.ts'

export const brokenSchedules: readonly BrokenEngine[] = [
  {
    // A crash between the two loses a due time.
    name: 'time moved before its run',
    noticedBy: ['schedules'],
    workRules: { dueTimeSteps: 'time first' },
  },
  {
    // A crash between the two doubles it.
    name: 'run requested before its time',
    noticedBy: ['schedules'],
    workRules: { dueTimeSteps: 'run first' },
  },
  {
    name: 'due times by machine clock',
    noticedBy: ['schedules'],
    workRules: { nowOf: (work, kind) => (kind === 'schedules' ? work.callerNow : work.now) },
  },
  {
    name: 'missed times not counted',
    noticedBy: ['schedules'],
    workRules: { missed: () => 0 },
  },
  {
    name: 'does not wait for the run before',
    noticedBy: ['agent runs', 'schedules'],
    workRules: { waitsForRunUnderWay: false },
  },
]
